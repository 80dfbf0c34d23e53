import type { IdentityDb } from './tables.ts'

/** The fixed ids of the two roles, from the first migration. A user can have no role. */
export const ADMINISTRATOR = '00000000-0000-7000-8000-00000000ad01'
/** For the backend's user, who can only read users. */
export const SERVICE = '00000000-0000-7000-8000-00000000ad02'

export const listRoles = (db: IdentityDb) =>
  db.selectFrom('roles').select(['id', 'name', 'admin_access', 'app_access']).orderBy('id').execute()
