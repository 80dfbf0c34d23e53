import { Worker } from 'node:worker_threads'
import { startIdleTimeout } from '../../platform/idle-timeout.ts'
import { CPU_LIMIT_MS, cpuMsOfThread, limitCpu } from '../cpu-limit.ts'
import type { Copied } from './copy-compatible.ts'
import { JoinFailure } from './join-failure.ts'
import type { Piece } from './source-file.ts'

export interface DemuxTask {
  pieces: Piece[]
  target: string
  /** Trouble that may pass rejects; else the piece that met it is left out. */
  isPatient: boolean
}

export type DemuxMessage = Copied | { kind: 'reading'; part: number }

/** Above what two hours of AAC need (160 MB), and too little for a header that asks for gigabytes to hurt. */
const HEAP_MB = 320

/** Each costs the limit's time: a conversation with more such parts is not joined, and its chunks are served one by one. */
const MAX_STUCK = 4

interface DemuxLimits {
  /** Wall time without a packet. The machine may be why. */
  stallMs: number
  /** CPU time without a packet. The bytes are why. */
  cpuMs: number
  /** The thread's code; tests have others. */
  worker: URL
}

/**
 * Runs `copyAlike` in a worker thread. Damaged bytes can make a demuxer loop without returning to the event loop: then no signal and
 * no timer helps, but ending the thread does. The piece at which it looped, stalled or threw is left out, and the others are tried
 * again; where the caller is patient, a stall rejects instead.
 */
export async function demuxApart(
  task: DemuxTask,
  signal: AbortSignal,
  given: Partial<DemuxLimits> & Pick<DemuxLimits, 'stallMs'>,
): Promise<Copied> {
  const limits = { cpuMs: CPU_LIMIT_MS, worker: DEMUX_WORKER, ...given }
  let { pieces } = task
  for (let stuck = 0; stuck <= MAX_STUCK; stuck++) {
    const outcome = await attempt({ ...task, pieces }, signal, limits)
    if (!('part' in outcome)) return outcome
    if (task.isPatient && outcome.kind === 'stalled') throw new Error('the demuxer stands still')
    pieces = pieces.filter(({ parts }) => parts[0] !== outcome.part)
  }
  throw new JoinFailure('unreadable', 'too many parts make the demuxer loop, stall or fail')
}

const DEMUX_WORKER = new URL('./demux-worker.ts', import.meta.url)

type Attempt = Copied | { kind: 'stalled' | 'looping' | 'thrown'; part: number }

async function attempt(
  task: DemuxTask,
  signal: AbortSignal,
  { stallMs, cpuMs, worker: code }: DemuxLimits,
): Promise<Attempt> {
  signal.throwIfAborted()
  const worker = new Worker(code, {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    env: {},
  })
  const { promise, resolve, reject } = Promise.withResolvers<Attempt>()
  const giveUp = () => reject(signal.reason)
  signal.addEventListener('abort', giveUp)
  let part = task.pieces[0]?.parts[0] ?? 0
  const patience = startIdleTimeout(stallMs, () => resolve({ kind: 'stalled', part }))
  const cpu = limitCpu(
    () => cpuMsOfThread(worker),
    () => resolve({ kind: 'looping', part }),
    cpuMs,
  )
  worker.on('message', (message: DemuxMessage) => {
    patience.reset()
    cpu.progress()
    if (message.kind === 'reading') part = message.part
    else resolve(message)
  })
  worker.on('error', (error) => (isOfSystem(error) ? reject(error) : resolve({ kind: 'thrown', part })))
  try {
    return await promise
  } finally {
    patience.stop()
    cpu.stop()
    signal.removeEventListener('abort', giveUp)
    await worker.terminate()
  }
}

/** A full disk, say. Anything else is what the demuxer threw at bytes that it did not expect, or its lack of memory. */
function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code !== 'ERR_WORKER_OUT_OF_MEMORY'
}
