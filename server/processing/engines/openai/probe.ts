import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { EngineFailure } from '../../engine-failure.ts'
import type { Container } from '../../transcriber.ts'
import { openWav } from './wav.ts'

/** An hour takes 0.2 s. */
const LIMIT_MS = 20_000
const HEAP_MB = 320

/**
 * Seconds, by the times of the packets: a recording of a browser has no duration in its head. In a thread of its own: one
 * wrong byte can make a demuxer run in circles, and then only ending the thread helps.
 */
export async function probeDuration(path: string, container: Container): Promise<number> {
  if (container === 'wav') return (await openWav(path)).duration
  const worker = new Worker(new URL('./probe-worker.ts', import.meta.url), {
    workerData: path,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    env: {},
  })
  try {
    const [duration] = await once(worker, 'message', { signal: AbortSignal.timeout(LIMIT_MS) })
    if (typeof duration === 'number') return duration
  } catch {
    // Out of time or memory, which is as good as an answer.
  } finally {
    await worker.terminate()
  }
  throw new EngineFailure('unreadable', `the recording is no ${container} that could be read`)
}
