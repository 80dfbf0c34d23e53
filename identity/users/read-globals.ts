import type { Caller } from '../caller.ts'

/** What the caller may do at all. It answers the anonymous too, so that it is no check of a credential. */
export const readGlobals = (caller: Caller | null) =>
  caller
    ? { app_access: caller.appAccess, admin_access: caller.adminAccess, enforce_tfa: false }
    : { app_access: false }
