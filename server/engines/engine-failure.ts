import type { TranscriptionFailureCode } from '../../speech/types.ts'
import type { RunningJob } from '../background/queue.ts'

/** Failures that can pass, some of them only when the operator acts. */
export const RETRYABLE: readonly TranscriptionFailureCode[] = ['interrupted', 'unavailable', 'misconfigured']

/** An engine gave no result. `unavailable` also means that a server responded with something else, or asked to wait. */
export class EngineFailure extends Error {
  readonly code: TranscriptionFailureCode
  /** The wait that the server asked for. */
  readonly retryAfterMs: number | null

  /** The message is for operators and contains neither transcribed text nor keys. */
  constructor(code: TranscriptionFailureCode, message: string, retryAfterMs: number | null = null) {
    super(message)
    this.name = 'EngineFailure'
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

/** For the log line of a failed job: its message says what happens next. Contains neither transcribed text nor names nor keys. */
export const failureFields = (error: unknown, { retry, projectId }: RunningJob) => ({
  attempt: retry + 1,
  project_id: projectId,
  ...(error instanceof EngineFailure
    ? { code: error.code, reason: error.message }
    : { code: 'internal', err: error }),
})

/** About a minute. A recording that needs too much memory gets its decoder killed each time, and perhaps others with it. */
const MAX_INTERRUPTIONS = 5

/** Counted separately from a job's attempts: a server that was away for an hour has used many of those. */
export const interruptionsOf = ({ data }: Pick<RunningJob, 'data'>): number =>
  Number(data['interrupted'] ?? 0)

/** The failure with which a job ends; null while another attempt follows, or the service stops. */
export function finalFailure(
  error: unknown,
  job: Pick<RunningJob, 'data' | 'isLast' | 'signal'>,
): string | null {
  const { isLast, signal } = job
  if (!(error instanceof EngineFailure)) return isLast && !signal.aborted ? 'internal' : null
  if (error.code === 'interrupted')
    return interruptionsOf(job) < MAX_INTERRUPTIONS || signal.aborted ? null : 'unreadable'
  return RETRYABLE.includes(error.code) && !isLast ? null : error.code
}
