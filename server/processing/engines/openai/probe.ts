import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { startPatience } from '../../../kernel/patience.ts'
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
export async function probeDuration(path: string, container: Container, limitMs = LIMIT_MS): Promise<number> {
  if (container === 'wav') return (await openWav(path)).duration
  const duration = await askThread(path, limitMs)
  if (duration !== null) return duration
  throw new EngineFailure('unreadable', `the recording is no ${container} that could be read`)
}

/** Null: its bytes make no sense, or want more memory than it has. */
async function askThread(path: string, limitMs: number): Promise<number | null> {
  const worker = new Worker(new URL('./probe-worker.ts', import.meta.url), {
    workerData: path,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    env: {},
  })
  const timeUp = new AbortController()
  const patience = startPatience(limitMs, () => timeUp.abort())
  try {
    const [duration] = await once(worker, 'message', { signal: timeUp.signal })
    return duration
  } catch (error) {
    if (timeUp.signal.aborted) throw new EngineFailure('interrupted', 'finding its duration takes too long')
    if (isOfSystem(error)) throw new EngineFailure('unavailable', 'the recording could not be looked at')
    return null
  } finally {
    patience.stop()
    await worker.terminate()
  }
}

/** Of the disk, or no thread could be made. Anything else is what the demuxer threw at the bytes, or its lack of memory. */
const isOfSystem = (error: unknown): boolean =>
  error instanceof Error && ('errno' in error || ('code' in error && error.code === 'ERR_WORKER_INIT_FAILED'))
