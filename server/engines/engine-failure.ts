import type { TranscriptionFailureCode } from '../../speech/types.ts'
import type { RunningJob } from '../background/queue.ts'

/** Failures after which a retry can succeed, in some cases only once the operator has acted. */
export const RETRYABLE: readonly TranscriptionFailureCode[] = ['interrupted', 'unavailable', 'misconfigured']

/** An engine returned no result. `unavailable` includes unexpected responses of a server, and responses that ask to wait. */
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

/** Five retries take about a minute in total. A recording that needs too much memory interrupts its decoder every time, and possibly others. */
const MAX_INTERRUPTIONS = 5

/** Counted separately from a job's attempts: a server that was unavailable for an hour has used many of those. */
export const interruptionsOf = ({ data }: Pick<RunningJob, 'data'>): number =>
  Number(data['interrupted'] ?? 0)

/** The attempts of a job, including this one and those after which it was enqueued again because the server asked to wait. */
export const attemptsOf = ({ data, retry }: Pick<RunningJob, 'data' | 'retry'>): number =>
  Number(data['attempts'] ?? data['put_off'] ?? 0) + retry + 1

/** The failure with which a job ends; null if another attempt follows, also because the service is stopping. */
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
