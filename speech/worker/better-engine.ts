import type { Job } from '../transcribe.ts'
import type { Transcription } from '../types.ts'
import { createWorkerPool } from './worker-pool.ts'
import type { WorkerSettings } from './worker-process.ts'

/** Its models take 1 GB, which other recordings need once the second passes are done. */
const IDLE_MS = 60_000

/** One worker with a better model. It is started when it is needed, and ends after a minute without a job. */
export function createBetterEngine(settings: WorkerSettings, idleMs = IDLE_MS) {
  let pool: ReturnType<typeof createWorkerPool> | null = null
  let running = 0
  let timer: NodeJS.Timeout | undefined

  async function close(): Promise<void> {
    clearTimeout(timer)
    const closing = pool
    pool = null
    await closing?.close()
  }

  return {
    pids: (): number[] => pool?.pids() ?? [],
    async transcribe(job: Job, signal: AbortSignal): Promise<Transcription> {
      clearTimeout(timer)
      pool ??= createWorkerPool(1, settings)
      running++
      try {
        return await pool.transcribe(job, signal)
      } finally {
        running--
        if (running === 0) timer = setTimeout(() => void close(), idleMs).unref()
      }
    },
    close,
  }
}
