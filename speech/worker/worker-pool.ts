import { SpeechFailure } from '../failure.ts'
import type { Job, ResumeJob } from '../transcribe.ts'
import type { Transcription } from '../types.ts'
import { aborted, WorkerProcess, type WorkerSettings, type WorkRequest } from './worker-process.ts'

/** Workers remember fewer conversations than this. */
const MAX_OWNERS = 1_000

/** A job that waits for a worker. */
interface Turn {
  /** Only this one. */
  wanted: WorkerProcess | undefined
  begin(worker: WorkerProcess): void
}

/** A fixed number of workers. Jobs wait in order while all are busy. */
export function createWorkerPool(size: number, settings: WorkerSettings) {
  const workers = Array.from({ length: size }, () => new WorkerProcess(settings))
  /** The last used worker is taken first, because its models are loaded. */
  const free = [...workers]
  const waiting: Turn[] = []
  /** Which worker remembers a live conversation. */
  const owners = new Map<string, WorkerProcess>()
  let isClosed = false

  async function take(
    signal: AbortSignal,
    { wanted, isLive }: { wanted: WorkerProcess | undefined; isLive: boolean },
  ): Promise<WorkerProcess> {
    const chosen = wanted ?? (isLive ? leastOwned(free) : free.at(-1))
    const at = chosen ? free.indexOf(chosen) : -1
    const [worker] = at < 0 ? [] : free.splice(at, 1)
    if (worker) return worker
    const { promise, resolve, reject } = Promise.withResolvers<WorkerProcess>()
    const leave = (): void => {
      waiting.splice(waiting.indexOf(turn), 1)
      reject(aborted())
    }
    const turn: Turn = {
      wanted,
      begin: (freed) => {
        signal.removeEventListener('abort', leave)
        resolve(freed)
      },
    }
    waiting.push(turn)
    signal.addEventListener('abort', leave, { once: true })
    return promise
  }

  function release(worker: WorkerProcess): void {
    const next = waiting.findIndex(({ wanted }) => wanted === undefined || wanted === worker)
    if (next < 0) free.push(worker)
    else waiting.splice(next, 1)[0]?.begin(worker)
  }

  /** Live conversations are shared out evenly, since each stays with its worker. */
  function leastOwned(candidates: readonly WorkerProcess[]): WorkerProcess | undefined {
    const counts = Map.groupBy(owners.values(), (worker) => worker)
    const countOf = (worker: WorkerProcess): number => counts.get(worker)?.length ?? 0
    return candidates.toSorted((one, other) => countOf(one) - countOf(other))[0]
  }

  async function run(
    request: WorkRequest,
    conversation: string | undefined,
    signal: AbortSignal,
  ): Promise<Transcription | null> {
    const owner = conversation === undefined ? undefined : owners.get(conversation)
    // Another worker would have to decode and transcribe the seconds before again.
    const worker = await take(signal, { wanted: owner, isLive: conversation !== undefined })
    try {
      if (isClosed) throw new SpeechFailure('unavailable', 'The embedded engine is closed.')
      if (request.type === 'resume' && worker !== owner) return null
      const transcription = await worker.run(request, signal)
      if (conversation !== undefined) remember(conversation, transcription && worker)
      return transcription
    } finally {
      release(worker)
    }
  }

  /** Forgets the conversation that was used least recently if there are too many. */
  function remember(conversation: string, worker: WorkerProcess | null): void {
    owners.delete(conversation)
    if (worker) owners.set(conversation, worker)
    const oldest = owners.size > MAX_OWNERS ? owners.keys().next().value : undefined
    if (oldest !== undefined) owners.delete(oldest)
  }

  return {
    pids: (): number[] => workers.flatMap(({ pid }) => pid ?? []),

    async transcribe(job: Job, signal: AbortSignal): Promise<Transcription> {
      const transcription = await run({ type: 'transcribe', job }, job.live?.conversation, signal)
      if (!transcription) throw new SpeechFailure('unavailable', 'The embedded engine returned nothing.')
      return transcription
    },

    /** Null if no worker remembers the conversation. */
    async resume(job: ResumeJob, signal: AbortSignal): Promise<Transcription | null> {
      const { conversation } = job.live
      return owners.has(conversation) ? run({ type: 'resume', job }, conversation, signal) : null
    },

    async close(): Promise<void> {
      isClosed = true
      await Promise.all(workers.map((worker) => worker.close()))
    },
  }
}
