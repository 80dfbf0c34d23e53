/** The caller, as described by a token of the identity store. Parley has no table of users. */
export interface Principal {
  userId: string
  /** The `admin_access` claim; no role in Parley makes a user staff. */
  staff: boolean
  source: 'cookie' | 'bearer' | 'none'
  /** For calls to the identity store on behalf of the caller. Never logged or stored. */
  token: string
}

/** The caller of routes without an account. The audit log shows this id. */
export const PARTICIPANT: Principal = { userId: 'participant', staff: false, source: 'none', token: '' }

/** The identity store chooses the format of its ids, but PostgreSQL stores no NUL and URLs no lone surrogates. */
export const isUserId = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= 255 &&
  !value.includes('\0') &&
  value.isWellFormed()
