import type { Logger } from '../../platform/log.ts'
import type { RunningJob } from '../background/queue.ts'
import { attemptsOf, EngineFailure, failureFields } from '../engines/engine-failure.ts'
import type { Provenance } from './summarizer.ts'

/** A model that loads is ready within minutes: with pauses that double from 2 s, these are 8 attempts in about 4 minutes. */
const MAX_ATTEMPTS = 8

/** Selects sentences in the last of the attempts in which the model was unavailable, and says so. */
export async function orSelect<Result extends Provenance>(
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
    log.warn(fields, 'The model stays unavailable; sentences are selected instead')
    return { ...(await select()), fallback: 'unavailable' }
  }
}
