import { Worker } from 'node:worker_threads'
import { findFfmpeg } from '../../media/decode/find-ffmpeg.ts'
import { DECODE_LIMITS, type DecodeLimits } from '../../media/decode/limits.ts'
import { startIdleTimeout } from '../../platform/idle-timeout.ts'
import { compileCacheVariable } from '../../platform/programs/compile-cache.ts'
import { SpeechFailure } from '../failure.ts'
import type { Container } from '../types.ts'

/** In seconds of the recording. */
export interface VoiceSpan {
  start: number
  end: number
}

export interface VoiceJob {
  path: string
  container: Container
  ffmpeg: string | null
  limits: DecodeLimits
}

/** Any number of steps, then one of the others. */
export type VoiceMessage =
  | { type: 'step' }
  | { type: 'found'; spans: VoiceSpan[] | null }
  | { type: 'failed' }

/** Loading the model takes a second, and a block of audio some milliseconds. */
const STALL_MS = 60_000
const WORKER = new URL('./voice-worker.ts', import.meta.url)

/** Finds where people speak, like the embedded engine, for engines that invent text for silence. One recording at a time. */
export function createVoiceDetector() {
  let thread: Worker | null = null
  let last: Promise<unknown> = Promise.resolve()

  function start(): Worker {
    const started = new Worker(WORKER, { env: compileCacheVariable() })
    // A thread without a job does not keep the process alive.
    started.unref()
    started.once('exit', () => {
      if (thread === started) thread = null
    })
    thread = started
    return started
  }

  async function run(job: VoiceJob): Promise<VoiceSpan[] | null> {
    const worker = thread ?? start()
    const { promise, resolve, reject } = Promise.withResolvers<VoiceSpan[] | null>()
    const fail = (): void => reject(new SpeechFailure('unavailable', 'Voice detection failed.'))
    const idle = startIdleTimeout(STALL_MS, () => {
      reject(new SpeechFailure('interrupted', 'Voice detection made no progress.'))
      void worker.terminate()
    })
    const onMessage = (message: VoiceMessage): void => {
      if (message.type === 'step') idle.reset()
      else if (message.type === 'found') resolve(message.spans)
      else fail()
    }
    worker.on('message', onMessage).once('error', fail).once('exit', fail)
    worker.ref()
    worker.postMessage(job)
    try {
      return await promise
    } finally {
      idle.stop()
      worker.off('message', onMessage).off('error', fail).off('exit', fail)
      worker.unref()
    }
  }

  return {
    /** Null if the recording cannot be decoded on this machine. Rejects with a `SpeechFailure`. */
    find(path: string, container: Container): Promise<VoiceSpan[] | null> {
      const job = { path, container, ffmpeg: findFfmpeg(), limits: DECODE_LIMITS }
      const turn = last.then(() => run(job))
      last = turn.catch(() => {})
      return turn
    },
    close: async (): Promise<void> => void (await thread?.terminate()),
  }
}
