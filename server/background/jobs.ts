import { type Db, inTransaction } from '../../database/database.ts'
import type { Logger } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { FileStore } from '../../storage/file-store.ts'
import { eraseConversation } from '../conversations/erasure/erase-conversation.ts'
import { joinConversationAudio } from '../conversations/lifecycle/join-conversation-audio.ts'
import { type ConversationJobs, PRIORITY } from '../conversations/lifecycle/steps.ts'
import { eraseFromReports } from '../reports/erase-from-reports.ts'
import { generateReport } from '../reports/generation/generate-report.ts'
import type { ReportJobs } from '../reports/generation/restart-report.ts'
import { type Summarizer, summarizeConversation } from '../summaries/index.ts'
import { type PassOutcome, runSecondPass, type Transcriber, transcribeChunk } from '../transcription/index.ts'
import type { Emit } from '../webhooks/events/emit.ts'
import { postponeJob } from './postpone-job.ts'
import type { Jobs, RunningJob } from './queue.ts'

type AllJobs = ConversationJobs & ReportJobs
export type JobQueue = Jobs<AllJobs>

export interface JobParts {
  db: Db
  files: FileStore
  jobs: JobQueue
  emit: Emit
  transcriber: Transcriber
  summarizer: Summarizer
  log: Logger
}

interface HandlerParts extends JobParts {
  betterModel: string | null
  onSecondPass(outcome: PassOutcome): void
}

interface JobHandler {
  concurrency: number | ((parts: JobParts) => number)
  /** Further workers that run live chunks alone. */
  liveConcurrency?(parts: JobParts): number
  run(parts: HandlerParts, job: RunningJob): Promise<void>
}

/** Every job: how many run at the same time in one process, and the function that runs it. */
const HANDLERS: Record<keyof AllJobs, JobHandler> = {
  transcribe: {
    concurrency: ({ transcriber }) => transcriber.capabilities.concurrency - reservedForLive(transcriber),
    liveConcurrency: ({ transcriber }) => reservedForLive(transcriber),
    // Chunks and second passes share a queue, so that second passes wait while there are chunks.
    run: (parts, job) => ('pass_id' in job.data ? runSecondPass(parts, job) : transcribeChunk(parts, job)),
  },
  summarize: { concurrency: 2, run: summarizeConversation },
  report: { concurrency: 1, run: generateReport },
  erase: { concurrency: 1, run: erase },
  // Mostly file I/O: a second join proceeds while a damaged recording uses up the CPU time of the first.
  join_audio: { concurrency: 2, run: joinConversationAudio },
}

export const JOB_NAMES = Object.keys(HANDLERS) as (keyof AllJobs)[]

/** Begins to take jobs, until the queue stops. The queue must have started. */
export async function startJobHandlers(given: JobParts, metrics: Metrics): Promise<void> {
  const countPass = metrics.counter('parley_second_passes_total', 'Second passes that ended, by outcome', [
    'outcome',
  ])
  const parts = {
    ...given,
    betterModel: given.transcriber.capabilities.models?.best ?? null,
    onSecondPass: (outcome: PassOutcome) => countPass([outcome]),
  }
  for (const name of JOB_NAMES) {
    const { concurrency, liveConcurrency, run } = HANDLERS[name]
    const handle = (job: RunningJob) =>
      run(parts, job).catch((error: unknown) => postponeJob(parts, name, job, error))
    const workers = typeof concurrency === 'number' ? concurrency : concurrency(parts)
    await parts.jobs.work(name, workers, handle, PRIORITY.idle)
    if (liveConcurrency) await parts.jobs.work(name, liveConcurrency(parts), handle, PRIORITY.live)
  }
  exposeJobMetrics(parts, metrics)
}

/** An engine that transcribes long recordings in one call would let uploads occupy all workers for an hour. */
const reservedForLive = ({ capabilities: { parts, concurrency } }: Transcriber): number =>
  parts || concurrency < 2 ? 0 : 1

/** The conversation last: while it is not marked as erased, an attempt that failed half-way is repeated. */
async function erase({ db, files }: JobParts, { data }: RunningJob): Promise<void> {
  const id = String(data['conversation_id'])
  await inTransaction(db, (tx) => eraseFromReports(tx, id))
  await eraseConversation({ db, files }, id)
}

function exposeJobMetrics({ db, jobs }: JobParts, { gauge }: Metrics): void {
  const total = (of: 'waiting' | 'running' | 'failed') => async () =>
    (await jobs.counts()).reduce((sum, counts) => sum + counts[of], 0)
  gauge('parley_jobs_waiting', 'Jobs that wait for a worker', total('waiting'))
  gauge('parley_jobs_running', 'Running jobs, in all processes', total('running'))
  gauge('parley_jobs_failed', 'Jobs that failed permanently in the last day', total('failed'))
  gauge('parley_jobs_live_wait_seconds', 'Longest wait of a live chunk for a worker', () =>
    jobs.longestWait(PRIORITY.live),
  )
  gauge('parley_second_passes_waiting', 'Second passes that have not finished (waiting or running)', () =>
    countWaitingPasses(db),
  )
}

async function countWaitingPasses(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('second_passes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
