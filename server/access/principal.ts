/** Who is asking: read from a token of the identity store, never from a table of ours. */
export interface Principal {
  userId: string
  /** The `admin_access` claim, and nothing else. */
  staff: boolean
  source: 'cookie' | 'bearer'
  /** As presented; for calls to the store on the caller's behalf. Never logged, never stored. */
  token: string
}
