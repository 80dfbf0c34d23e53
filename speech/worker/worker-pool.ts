import { SpeechFailure } from '../failure.ts'
import type { Job } from '../transcribe.ts'
import type { Transcription } from '../types.ts'
import { aborted, WorkerProcess, type WorkerSettings } from './worker-process.ts'

/** A fixed number of workers. Jobs wait in order while all are busy. */
export class WorkerPool {
  private readonly workers: WorkerProcess[]
  /** The last used worker is taken first, because its models are loaded. */
  private readonly free: WorkerProcess[]
  private readonly waiting: ((worker: WorkerProcess) => void)[] = []
  private isClosed = false

  constructor(size: number, settings: WorkerSettings) {
    this.workers = Array.from({ length: size }, () => new WorkerProcess(settings))
    this.free = [...this.workers]
  }

  get pids(): number[] {
    return this.workers.flatMap(({ pid }) => pid ?? [])
  }

  async run(job: Job, signal: AbortSignal): Promise<Transcription> {
    const worker = await this.take(signal)
    try {
      if (this.isClosed) throw new SpeechFailure('unavailable', 'The embedded engine is closed.')
      return await worker.run(job, signal)
    } finally {
      this.giveBack(worker)
    }
  }

  private take(signal: AbortSignal): Promise<WorkerProcess> {
    const worker = this.free.pop()
    if (worker) return Promise.resolve(worker)
    const { promise, resolve, reject } = Promise.withResolvers<WorkerProcess>()
    const leave = (): void => {
      this.waiting.splice(this.waiting.indexOf(turn), 1)
      reject(aborted())
    }
    const turn = (freed: WorkerProcess): void => {
      signal.removeEventListener('abort', leave)
      resolve(freed)
    }
    this.waiting.push(turn)
    signal.addEventListener('abort', leave, { once: true })
    return promise
  }

  private giveBack(worker: WorkerProcess): void {
    const next = this.waiting.shift()
    if (next) next(worker)
    else this.free.push(worker)
  }

  async close(): Promise<void> {
    this.isClosed = true
    await Promise.all(this.workers.map((worker) => worker.close()))
  }
}
