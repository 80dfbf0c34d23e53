import type { Caller } from '../caller.ts'

/** The general rights of the caller. Also for anonymous requests, so it does not validate credentials. */
export const readGlobals = (caller: Caller | null) =>
  caller
    ? { app_access: caller.app_access, admin_access: caller.admin_access, enforce_tfa: false }
    : { app_access: false }
