import type { IdentityDb } from './tables.ts'

/** The two roles that exist, by the fixed ids of the first migration. A user may also have none. */
export const ADMINISTRATOR = '00000000-0000-7000-8000-00000000ad01'
/** The backend's own user: it reads users, and may do nothing else. */
export const SERVICE = '00000000-0000-7000-8000-00000000ad02'

export const listRoles = (db: IdentityDb) =>
  db.selectFrom('roles').select(['id', 'name', 'admin_access', 'app_access']).orderBy('id').execute()
