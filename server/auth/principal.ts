/** The caller, as a token of the identity store describes it. There is no user table here. */
export interface Principal {
  userId: string
  /** The `admin_access` claim alone. */
  staff: boolean
  source: 'cookie' | 'bearer' | 'none'
  /** As presented; for calls to the store on the caller's behalf. Never logged, never stored. */
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
