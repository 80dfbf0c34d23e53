import type { IdentityDb } from '../tables.ts'

/** Active users with the current rights of their role. */
export const activeUsers = (db: IdentityDb) =>
  db
    .selectFrom('users')
    .leftJoin('roles', 'roles.id', 'users.role')
    .where('users.status', '=', 'active')
    .select(['users.id', 'users.role'])
    .select(({ fn, lit }) => [
      fn.coalesce('roles.admin_access', lit(false)).as('admin_access'),
      fn.coalesce('roles.app_access', lit(false)).as('app_access'),
    ])
