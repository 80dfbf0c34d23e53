import type { EgressError } from '../types.ts'

/** Why there is no connection. */
export class EgressFailure extends Error {
  readonly error: EgressError
  /** A short code for the log. */
  readonly detail: string

  constructor(error: EgressError, detail: string) {
    super(detail)
    this.error = error
    this.detail = detail
  }
}

/** An error's code such as ECONNRESET: its message can carry addresses and names. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code } = error as Error & { code?: unknown }
  return (typeof code === 'string' ? code : error.name).slice(0, 64)
}
