import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { startIdleTimeout } from '../../platform/idle-timeout.ts'
import { EngineFailure } from '../../server/engines/engine-failure.ts'
import type { Container } from '../../server/transcription/transcriber.ts'
import { CPU_LIMIT_MS, cpuMsOfThread, limitCpu } from '../cpu-limit.ts'
import { openWav } from './wav.ts'

/** An hour takes 0.2 s. */
const LIMIT_MS = 20_000
const HEAP_MB = 320

const PROBE_WORKER = new URL('./probe-worker.ts', import.meta.url)

interface ProbeLimits {
  limitMs: number
  cpuMs: number
  /** The thread's code; tests have others. */
  worker: URL
}

/** What the thread sends each time it has read on, and at the end. */
export type ProbeMessage = { kind: 'reading' } | { kind: 'probed'; duration: number | null }

/**
 * Seconds, by the times of the packets: a recording of a browser has no duration in its head. In a thread of its own: damaged bytes
 * can make a demuxer loop, and then only ending the thread helps.
 */
export async function probeDuration(
  path: string,
  container: Container,
  given: Partial<ProbeLimits> = {},
): Promise<number> {
  if (container === 'wav') return (await openWav(path)).duration
  const duration = await askThread(path, {
    limitMs: LIMIT_MS,
    cpuMs: CPU_LIMIT_MS,
    worker: PROBE_WORKER,
    ...given,
  })
  if (duration !== null) return duration
  throw new EngineFailure('unreadable', `the recording is no ${container} that could be read`)
}

/** Null: its bytes make no sense, or want more memory than it has. */
async function askThread(
  path: string,
  { limitMs, cpuMs, worker: code }: ProbeLimits,
): Promise<number | null> {
  const worker = new Worker(code, {
    workerData: path,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    env: {},
  })
  const [timeUp, stuck] = [new AbortController(), new AbortController()]
  const patience = startIdleTimeout(limitMs, () => timeUp.abort())
  const cpu = limitCpu(
    () => cpuMsOfThread(worker),
    () => stuck.abort(),
    cpuMs,
  )
  try {
    const messages = on(worker, 'message', {
      signal: AbortSignal.any([timeUp.signal, stuck.signal]),
      close: ['exit'],
    }) as AsyncIterable<[ProbeMessage]>
    for await (const [message] of messages) {
      if (message.kind === 'probed') return message.duration
      cpu.progress()
    }
    return null
  } catch (error) {
    if (timeUp.signal.aborted) throw new EngineFailure('interrupted', 'finding its duration takes too long')
    if (stuck.signal.aborted) return null
    if (isOfSystem(error)) throw new EngineFailure('unavailable', 'the recording could not be looked at')
    return null
  } finally {
    patience.stop()
    cpu.stop()
    await worker.terminate()
  }
}

/** Of the disk, or no thread could be made. Anything else is what the demuxer threw at the bytes, or its lack of memory. */
const isOfSystem = (error: unknown): boolean =>
  error instanceof Error && ('errno' in error || ('code' in error && error.code === 'ERR_WORKER_INIT_FAILED'))
