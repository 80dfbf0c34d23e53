import { SpeechFailure } from '../failure.ts'
import type { Job } from '../transcribe.ts'
import type { Transcription } from '../types.ts'
import { aborted, WorkerProcess, type WorkerSettings } from './worker-process.ts'

/** A fixed number of workers. Jobs wait in order while all are busy. */
export function createWorkerPool(size: number, settings: WorkerSettings) {
  const workers = Array.from({ length: size }, () => new WorkerProcess(settings))
  /** The last used worker is taken first, because its models are loaded. */
  const free = [...workers]
  const waiting: ((worker: WorkerProcess) => void)[] = []
  let isClosed = false

  async function take(signal: AbortSignal): Promise<WorkerProcess> {
    const worker = free.pop()
    if (worker) return worker
    const { promise, resolve, reject } = Promise.withResolvers<WorkerProcess>()
    const leave = (): void => {
      waiting.splice(waiting.indexOf(turn), 1)
      reject(aborted())
    }
    const turn = (freed: WorkerProcess): void => {
      signal.removeEventListener('abort', leave)
      resolve(freed)
    }
    waiting.push(turn)
    signal.addEventListener('abort', leave, { once: true })
    return promise
  }

  return {
    pids: (): number[] => workers.flatMap(({ pid }) => pid ?? []),

    async run(job: Job, signal: AbortSignal): Promise<Transcription> {
      const worker = await take(signal)
      try {
        if (isClosed) throw new SpeechFailure('unavailable', 'The embedded engine is closed.')
        return await worker.run(job, signal)
      } finally {
        const next = waiting.shift()
        if (next) next(worker)
        else free.push(worker)
      }
    },

    async close(): Promise<void> {
      isClosed = true
      await Promise.all(workers.map((worker) => worker.close()))
    },
  }
}
