/**
 * Why there is no joint file; the parts can still be served one by one:
 * - `unreadable`: no part has audio that can be read.
 * - `mixed`: the parts differ in codec or shape, or browsers don't play it, and there is no ffmpeg to make them alike.
 */
export type JoinFailureCode = 'unreadable' | 'mixed'

export class JoinFailure extends Error {
  readonly code: JoinFailureCode

  constructor(code: JoinFailureCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'JoinFailure'
    this.code = code
  }
}
