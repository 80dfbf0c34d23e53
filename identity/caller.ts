import { forbidden, invalidCredentials } from './errors.ts'
import { SERVICE } from './roles.ts'

/** The authenticated user with the current rights from the database: revoked rights take effect before the token expires. */
export interface Caller {
  id: string
  role: string | null
  admin_access: boolean
  app_access: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if the request has no credential. */
    caller: Caller | null
  }
}

export function requireAdmin(caller: Caller | null): Caller {
  if (!caller?.admin_access) throw forbidden()
  return caller
}

/** The backend's user can read the same users as administrators, with fewer fields. */
export function requireReader(caller: Caller | null): Caller {
  if (!caller || !(caller.admin_access || isService(caller))) throw forbidden()
  return caller
}

export function requireSignedIn(caller: Caller | null): Caller {
  if (!caller) throw invalidCredentials()
  return caller
}

/** A user who manages their own account; the backend's user cannot. */
export function requirePerson(caller: Caller | null): Caller {
  const signedIn = requireSignedIn(caller)
  if (isService(signedIn)) throw forbidden()
  return signedIn
}

export const isService = (caller: Caller): boolean => caller.role === SERVICE
