import type { RunningJob } from '../background/queue.ts'

/**
 * Why an engine gave no result:
 * - `unreadable`: the bytes can't be decoded, or break a limit; another try gives the same.
 * - `needs_ffmpeg`: a codec (Vorbis, ALAC) that is decoded by ffmpeg alone, which is not here; after it was installed, retranscribe.
 * - `unsupported_language`: the engine does not speak it.
 * - `interrupted`: the decoder was killed, or stood still. The machine may be why, or bytes that ask too much of it: a few tries
 *   tell; then it counts as `unreadable`.
 * - `unavailable`: the engine or its server did not answer, answered nonsense, or asked for patience: try again.
 * - `misconfigured`: a wrong key, an unknown model, no credit left: the operator must act; try again later.
 */
export type EngineFailureCode =
  | 'unreadable'
  | 'needs_ffmpeg'
  | 'unsupported_language'
  | 'interrupted'
  | 'unavailable'
  | 'misconfigured'

/** What may pass by itself, or when the operator acts. */
export const RETRYABLE: readonly EngineFailureCode[] = ['interrupted', 'unavailable', 'misconfigured']

export class EngineFailure extends Error {
  readonly code: EngineFailureCode
  /** What the server asked for. */
  readonly retryAfterMs: number | null

  /** The message is for people and holds nothing that was said, and no key. */
  constructor(code: EngineFailureCode, message: string, retryAfterMs: number | null = null) {
    super(message)
    this.name = 'EngineFailure'
    this.code = code
    this.retryAfterMs = retryAfterMs
  }

  get isRetryable(): boolean {
    return RETRYABLE.includes(this.code)
  }
}

/** Some minute. A recording that takes more memory than there is has a decoder killed each time, and maybe others with it. */
const MOST_INTERRUPTIONS = 5

/** Counted apart from a job's tries: a server that was away for an hour has used many of those. */
export const interruptionsOf = ({ data }: Pick<RunningJob, 'data'>): number =>
  Number(data['interrupted'] ?? 0)

/** Why a job is given up; null while another try follows, or the service stops. A bug that stays is no reason to wait for ever. */
export function givenUp(error: unknown, job: Pick<RunningJob, 'data' | 'isLast' | 'signal'>): string | null {
  const { isLast, signal } = job
  if (error instanceof EngineFailure && error.code === 'interrupted')
    return interruptionsOf(job) < MOST_INTERRUPTIONS || signal.aborted ? null : 'unreadable'
  if (error instanceof EngineFailure) return error.isRetryable && !isLast ? null : error.code
  return isLast && !signal.aborted ? 'internal' : null
}
