import type { Caller } from '../caller.ts'

/** The general rights of the caller. Also for anonymous requests, so it does not validate credentials. */
export const readGlobals = (caller: Caller | null) =>
  caller
    ? { app_access: caller.appAccess, admin_access: caller.adminAccess, enforce_tfa: false }
    : { app_access: false }
