import { type Db, inTransaction } from '../../database/database.ts'
import type { Logger } from '../../platform/log.ts'
import { attemptsOf, EngineFailure, failureFields, interruptionsOf } from '../engines/engine-failure.ts'
import type { JobData, Jobs, RunningJob } from './queue.ts'

/** Shorter waits are left to the retry schedule of the queue. */
const MIN_WAIT_MS = 20_000
const MAX_WAIT_MS = 6 * 3_600_000
/** After this many postponements, further failures use up the job's retries: a server that always asks to wait must not keep a job forever. */
const MAX_POSTPONEMENTS = 50
const FIRST_PAUSE_MS = 2_000

/**
 * Logs a failed attempt. Where the engine asked to wait or its decoder was killed, enqueues the job again with all of its retries;
 * otherwise throws, so that the queue retries it. A job that the stop of the service interrupted has not failed.
 */
export async function postponeJob(
  { db, jobs, log }: { db: Db; jobs: Jobs; log: Logger },
  name: string,
  job: RunningJob,
  error: unknown,
): Promise<void> {
  const { priority, projectId, isLast, signal } = job
  if (signal.aborted) throw error
  const postponed = error instanceof EngineFailure ? postponement(error, job) : null
  const retry = postponed ? `retrying in ${Math.round(postponed.waitMs / 1_000)} s` : 'will retry'
  log.warn(
    { component: 'jobs', task: name, ...failureFields(error, job) },
    `Job failed; ${isLast && !postponed ? 'no attempts are left' : retry}`,
  )
  if (postponed === null) throw error
  const options = {
    startAfter: new Date(Date.now() + postponed.waitMs),
    priority,
    isRetry: true,
    ...(projectId && { projectId }),
  }
  await inTransaction(db, (tx) => jobs.enqueue(tx, name, { ...job.data, ...postponed.note }, options))
}

/** A killed decoder is retried after pauses that double. */
function postponement(error: EngineFailure, job: RunningJob): { waitMs: number; note: JobData } | null {
  const interruptions = interruptionsOf(job)
  if (error.code === 'interrupted')
    return { waitMs: FIRST_PAUSE_MS * 2 ** interruptions, note: { interrupted: interruptions + 1 } }
  // `put_off` is the name in jobs of earlier releases.
  const times = Number(job.data['postponed'] ?? job.data['put_off'] ?? 0)
  const asked = error.retryAfterMs ?? 0
  if (asked < MIN_WAIT_MS || times >= MAX_POSTPONEMENTS) return null
  return { waitMs: Math.min(asked, MAX_WAIT_MS), note: { postponed: times + 1, attempts: attemptsOf(job) } }
}
