/**
 * Why a recording could not be decoded, split or joined:
 * - `unreadable`: the bytes cannot be decoded, or exceed a limit. A retry gives the same result.
 * - `needs_ffmpeg`: only ffmpeg can do it, and ffmpeg is not installed.
 * - `interrupted`: the worker was killed or made no progress. The machine or the bytes can be the cause, so retry a few times.
 * - `unavailable`: the disk or the operating system failed. Retry.
 */
export type MediaFailureCode = 'unreadable' | 'needs_ffmpeg' | 'interrupted' | 'unavailable'

export class MediaFailure extends Error {
  readonly code: MediaFailureCode

  constructor(code: MediaFailureCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'MediaFailure'
    this.code = code
  }

  /** Whether a retry can succeed. */
  get isTransient(): boolean {
    return this.code === 'interrupted' || this.code === 'unavailable'
  }
}
