import type { Logger } from '../../platform/log.ts'
import type { RunningJob } from '../background/queue.ts'
import { attemptsOf, EngineFailure, failureFields } from '../engines/engine-failure.ts'
import type { Provenance } from './summarizer.ts'

/** A model that is being loaded is ready within minutes. With pauses of up to 30 s, 8 attempts take about 4 minutes. */
const MAX_ATTEMPTS = 8

/** Summarises by selecting sentences if the model is unavailable in the last attempt, and records this as the reason. */
export async function withExtractiveFallback<Result extends Provenance>(
  byModel: () => Promise<Result>,
  select: () => Promise<Result>,
  { job, log, component }: { job: RunningJob; log: Logger; component: string },
): Promise<Result> {
  try {
    return await byModel()
  } catch (error) {
    const isUnavailable = error instanceof EngineFailure && error.code === 'unavailable'
    if (!isUnavailable || attemptsOf(job) < MAX_ATTEMPTS || job.signal.aborted) throw error
    const fields = { ...failureFields(error, job), component }
    log.warn(fields, 'Language model still unavailable; using an extractive summary')
    return { ...(await select()), fallback: 'unavailable' }
  }
}
