import type { Caller } from '../caller.ts'
import type { IdentityDb } from '../tables.ts'
import type { Claims } from './access-token.ts'

/** Active users with the rights that their role gives now. */
export const liveUsers = (db: IdentityDb) =>
  db
    .selectFrom('users')
    .leftJoin('roles', 'roles.id', 'users.role')
    .where('users.status', '=', 'active')
    .select(['users.id', 'users.role', 'roles.admin_access', 'roles.app_access'])

export interface LiveUser {
  id: string
  role: string | null
  admin_access: boolean | null
  app_access: boolean | null
}

export const claimsOf = (user: LiveUser): Claims => ({
  id: user.id,
  role: user.role,
  app_access: user.app_access ?? false,
  admin_access: user.admin_access ?? false,
})

export const callerOf = (user: LiveUser): Caller => ({
  id: user.id,
  role: user.role,
  adminAccess: user.admin_access ?? false,
  appAccess: user.app_access ?? false,
})
