import type { EgressError } from '../types.ts'

/** A connection could not be opened. */
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

/** An error's code such as ECONNRESET. Its message could contain addresses and names. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code } = error as Error & { code?: unknown }
  return (typeof code === 'string' ? code : error.name).slice(0, 64)
}
