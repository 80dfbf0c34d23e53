/** Who is asking: read from a token of the identity store, never from a table of ours. */
export interface Principal {
  userId: string
  /** The `admin_access` claim, and nothing else. */
  staff: boolean
  source: 'cookie' | 'bearer'
  /** As presented; for calls to the store on the caller's behalf. Never logged, never stored. */
  token: string
}

/** The store's ids are its own affair, but PostgreSQL takes no NUL and a URL no half of a character. */
export const isUserId = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= 255 &&
  !value.includes('\0') &&
  value.isWellFormed()
