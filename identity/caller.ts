import { forbidden, invalidCredentials } from './errors.ts'
import { SERVICE } from './roles.ts'

/** Who is asking, by the database's present state: rights that were taken away count at once, whatever the token says. */
export interface Caller {
  id: string
  role: string | null
  adminAccess: boolean
  appAccess: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null when the request carries no credential. */
    caller: Caller | null
  }
}

export function requireAdmin(caller: Caller | null): Caller {
  if (!caller?.adminAccess) throw forbidden()
  return caller
}

/** The backend's user may read what administrators may, though fewer fields of it. */
export function requireReader(caller: Caller | null): Caller {
  if (!caller || !(caller.adminAccess || isService(caller))) throw forbidden()
  return caller
}

export function requireSignedIn(caller: Caller | null): Caller {
  if (!caller) throw invalidCredentials()
  return caller
}

/** A person who manages their own account; the backend's user has none to manage. */
export function requirePerson(caller: Caller | null): Caller {
  const signedIn = requireSignedIn(caller)
  if (isService(signedIn)) throw forbidden()
  return signedIn
}

export const isService = (caller: Caller): boolean => caller.role === SERVICE
