import { type Db, inTransaction } from '../../database/database.ts'
import type { Logger } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { runEach } from '../../platform/run-each.ts'
import { removeAbandonedTempDirectories } from '../../platform/temp-directory.ts'
import type { FileStore } from '../../storage/file-store.ts'
import {
  createReindexing,
  type ErasureParts,
  eraseConversation,
  finishIdleConversations,
  type Lifecycle,
  PRIORITY,
  reapplyErasures,
  recoverStalledAudio,
  recoverStalledErasures,
  recoverStalledSteps,
  removeErasedFiles,
  removeLatelyErasedFiles,
  sweepConversations,
} from '../conversations/index.ts'
import { joinConversationAudio } from '../conversations/lifecycle/join-conversation-audio.ts'
import { EngineFailure, interruptionsOf } from '../engines/engine-failure.ts'
import { type Summarizer, summarizeConversation } from '../summaries/index.ts'
import { type Transcriber, transcribeChunk } from '../transcription/index.ts'
import { repeat } from './periodic-task.ts'
import type { JobData, JobName, RunningJob } from './queue.ts'

export interface ProcessingParts extends Lifecycle {
  db: Db
  files: FileStore
  transcriber: Transcriber
  summarizer: Summarizer
  /** Jobs of areas above this one. */
  report(job: RunningJob): Promise<void>
  /** Takes up what their jobs left undone; answers how many. */
  renewReports(): Promise<number>
  alsoErase: ErasureParts['alsoErase']
  metrics: Metrics
  log: Logger
  /** How often it is looked for what was left or is past its time; tests shorten it. */
  sweepEveryMs?: number
}

const SWEEP_EVERY_MS = 10_000
const SUMMARIES_AT_ONCE = 2
/** Mostly reading and writing files: a second join goes on while a damaged recording uses up the CPU time of the first. */
const JOINS_AT_ONCE = 2
const RENEW_EVERY_MS = 3_600_000

/** Transcribes, summarises, erases and finishes what was left, until it is stopped. The jobs must have started. */
export async function startProcessing(parts: ProcessingParts): Promise<{ stop(): Promise<void> }> {
  const { db, jobs, log, transcriber } = parts
  const transcribe = (job: RunningJob) => transcribeChunk(parts, job)
  const kept = keptForLive(transcriber)
  const work: [JobName, number, (job: RunningJob) => Promise<void>, urgency?: number][] = [
    ['transcribe', transcriber.capabilities.concurrency - kept, transcribe],
    ['transcribe', kept, transcribe, PRIORITY.live],
    ['summarize', SUMMARIES_AT_ONCE, (job) => summarizeConversation(parts, job)],
    ['join_audio', JOINS_AT_ONCE, (job) => joinConversationAudio(parts, job)],
    ['report', 1, parts.report],
    ['erase', 1, (job) => eraseConversation(parts, String(job.data['conversation_id']))],
  ]
  for (const [name, concurrency, run, urgency] of work)
    await jobs.work(name, concurrency, (job) => run(job).catch(putOff(parts, name, job)), urgency)
  watchJobs(parts)
  // Not before the start: a database that goes away just now would end it.
  let isReapplied = false
  const sweeping = repeat(
    'processing',
    parts.sweepEveryMs ?? SWEEP_EVERY_MS,
    async () => {
      if (!isReapplied) await reapply(parts)
      isReapplied = true
      await finishIdleConversations(parts, db)
      return sweepConversations(parts, db)
    },
    log,
  )
  const stopping = new AbortController()
  const renewing = repeat('processing', RENEW_EVERY_MS, () => renew(parts, stopping.signal), log)
  const renewingWords = repeat('processing', RENEW_EVERY_MS, createReindexing(db), log)
  const removing = removeFilesThatCameBack(parts, stopping.signal)
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all([sweeping.stop(), renewing.stop(), renewingWords.stop(), removing])
    },
  }
}

/** Of an engine that hears long recordings in one go: else uploads could take all places for an hour. */
const keptForLive = ({ capabilities: { parts, concurrency } }: Transcriber): number =>
  parts || concurrency < 2 ? 0 : 1

/** Less is left to the job's own tries. */
const LONG_MS = 20_000
const LONGEST_MS = 6 * 3_600_000
/** Then its tries begin to count, so that a server which always asks for patience does not keep it for ever. */
const MOST_TIMES = 50
const FIRST_PAUSE_MS = 2_000

/** A job that is put off becomes a new job of the same project, with all of its tries left. */
const putOff =
  ({ db, jobs }: ProcessingParts, name: JobName, job: RunningJob) =>
  async (error: unknown): Promise<void> => {
    const later = error instanceof EngineFailure && !job.signal.aborted ? laterOf(error, job) : null
    if (later === null) throw error
    const startAfter = new Date(Date.now() + later.waitMs)
    const data = { ...job.data, ...later.note }
    const { urgency, projectId } = job
    const options = { startAfter, urgency, isRetry: true, ...(projectId && { projectId }) }
    await inTransaction(db, (tx) => jobs.enqueue(tx, name, data, options))
  }

/** A server that asks for a long pause gets it. Whose decoder was killed waits longer each time. */
function laterOf(error: EngineFailure, job: RunningJob): { waitMs: number; note: JobData } | null {
  const interruptions = interruptionsOf(job)
  if (error.code === 'interrupted')
    return { waitMs: FIRST_PAUSE_MS * 2 ** interruptions, note: { interrupted: interruptions + 1 } }
  const times = Number(job.data['put_off'] ?? 0)
  const asked = error.retryAfterMs ?? 0
  if (asked < LONG_MS || times >= MOST_TIMES) return null
  return { waitMs: Math.min(asked, LONGEST_MS), note: { put_off: times + 1 } }
}

async function reapply(parts: ProcessingParts): Promise<void> {
  const { db, files, log } = parts
  const erased = await reapplyErasures(parts, db, files)
  if (erased > 0)
    log.warn({ count: erased, component: 'processing' }, 'the database held what had been erased')
}

/** Beside all else, and once: however long it takes, nobody waits for it. What trouble leaves is found at the next start. */
async function removeFilesThatCameBack(
  { db, files, log }: ProcessingParts,
  signal: AbortSignal,
): Promise<void> {
  try {
    const count = await removeErasedFiles(db, files, signal)
    if (count > 0) log.warn({ count, component: 'processing' }, 'the file store held what had been erased')
  } catch (err) {
    if (!signal.aborted)
      log.warn({ err, component: 'processing' }, 'could not look for files of what was erased')
  }
}

/** What was left by others. There is never more at once. */
async function renew(parts: ProcessingParts, signal: AbortSignal): Promise<boolean> {
  const { db, files, jobs, log } = parts
  const told = async (what: string, renewing: Promise<number>) => {
    const count = await renewing
    if (count > 0) log.warn({ count, component: 'processing' }, what)
  }
  const steps = [
    removeAbandonedTempDirectories,
    files.removeAbandoned,
    () => told('erasures that had come to a stop go on', recoverStalledErasures(db, jobs)),
    () => told('files of what was erased had come back', removeLatelyErasedFiles(db, files, signal)),
    () => told('conversations that had come to a stop go on', recoverStalledSteps(parts, db)),
    () => told('audio that was never joined is joined now', recoverStalledAudio(jobs, db)),
    () => told('reports that had come to a stop go on, or have failed', parts.renewReports()),
  ]
  await runEach(steps, async (step) => {
    if (!signal.aborted) await step()
  })
  return false
}

function watchJobs({ metrics, jobs }: ProcessingParts): void {
  const total = (of: 'waiting' | 'running' | 'failed') => async () =>
    (await jobs.counts()).reduce((sum, counts) => sum + counts[of], 0)
  metrics.gauge('parley_jobs_waiting', 'Jobs that wait for a worker', total('waiting'))
  metrics.gauge('parley_jobs_running', 'Jobs under way, in all processes', total('running'))
  metrics.gauge('parley_jobs_failed', 'Jobs that were given up in the last day', total('failed'))
  metrics.gauge('parley_jobs_live_wait_seconds', 'Longest wait of a job for what is being said now', () =>
    jobs.longestWait(PRIORITY.live),
  )
}
