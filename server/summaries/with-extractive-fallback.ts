import type { Logger } from '../../platform/log.ts'
import type { RunningJob } from '../background/queue.ts'
import { attemptsOf, EngineFailure, failureFields } from '../engines/engine-failure.ts'
import type { Provenance } from './summarizer.ts'

/**
 * A model that is being loaded is ready within minutes: with pauses of up to 30 s, 8 attempts take about 4 minutes. A server that rejects
 * the key, the model or every request rarely changes its mind, and gets up to 3 requests in each attempt.
 */
const MAX_ATTEMPTS: Partial<Record<EngineFailure['code'], number>> = { unavailable: 8, misconfigured: 4 }

/** Summarises by selecting sentences if the model has failed in all attempts, and records this as the reason. */
export async function withExtractiveFallback<Result extends Provenance>(
  byModel: () => Promise<Result>,
  select: () => Promise<Result>,
  { job, log, component }: { job: RunningJob; log: Logger; component: string },
): Promise<Result> {
  try {
    return await byModel()
  } catch (error) {
    const maxAttempts = error instanceof EngineFailure ? MAX_ATTEMPTS[error.code] : undefined
    if (maxAttempts === undefined || attemptsOf(job) < maxAttempts || job.signal.aborted) throw error
    const fields = { ...failureFields(error, job), component }
    log.warn(fields, 'Language model failed in all attempts; using an extractive summary')
    return { ...(await select()), fallback: 'unavailable' }
  }
}
