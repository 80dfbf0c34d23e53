import type { Caller } from '../caller.ts'
import type { IdentityDb } from '../tables.ts'
import type { Claims } from './access-token.ts'

/** Active users with the current rights of their role. */
export const activeUsers = (db: IdentityDb) =>
  db
    .selectFrom('users')
    .leftJoin('roles', 'roles.id', 'users.role')
    .where('users.status', '=', 'active')
    .select(['users.id', 'users.role', 'roles.admin_access', 'roles.app_access'])

export interface ActiveUser {
  id: string
  role: string | null
  admin_access: boolean | null
  app_access: boolean | null
}

export const claimsOf = (user: ActiveUser): Claims => ({
  id: user.id,
  role: user.role,
  app_access: user.app_access ?? false,
  admin_access: user.admin_access ?? false,
})

export const callerOf = (user: ActiveUser): Caller => ({
  id: user.id,
  role: user.role,
  adminAccess: user.admin_access ?? false,
  appAccess: user.app_access ?? false,
})
