import { Worker } from 'node:worker_threads'
import { startPatience } from '../../kernel/patience.ts'
import type { Copied } from './copy-alike.ts'
import { JoinFailure } from './join-failure.ts'
import type { Piece } from './piece.ts'

export interface DemuxTask {
  pieces: Piece[]
  target: string
  /** Trouble that may pass rejects; else the piece that met it is left out. */
  isPatient: boolean
}

export type DemuxMessage = Copied | { kind: 'reading'; part: number }

/** Above what two hours of AAC need (160 MB), and too little for a header that asks for gigabytes to hurt. */
const HEAP_MB = 320

/** Each costs the stall's time; whoever sends more broken parts than this gets them served one by one. */
const MAX_STUCK = 4

/**
 * `copyAlike` in a thread of its own. A demuxer can be made to run in circles by one wrong byte (in the name of a WebM's index, found by
 * flipping bytes), without ever coming back to the event loop: then no signal and no timer helps, but ending the thread does.
 * The piece at which it got stuck, or threw, is left out, and the others are tried again.
 */
export async function demuxApart(task: DemuxTask, signal: AbortSignal, stallMs: number): Promise<Copied> {
  let { pieces } = task
  for (let stuck = 0; stuck <= MAX_STUCK; stuck++) {
    const outcome = await attempt({ ...task, pieces }, signal, stallMs)
    if (!('part' in outcome)) return outcome
    if (task.isPatient && outcome.kind === 'stuck') throw new Error('the demuxer stands still')
    pieces = pieces.filter(({ parts }) => parts[0] !== outcome.part)
  }
  throw new JoinFailure('unreadable', 'too many parts make the demuxer run in circles')
}

type Attempt = Copied | { kind: 'stuck' | 'thrown'; part: number }

async function attempt(task: DemuxTask, signal: AbortSignal, stallMs: number): Promise<Attempt> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./demux-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    env: {},
  })
  const { promise, resolve, reject } = Promise.withResolvers<Attempt>()
  const giveUp = () => reject(signal.reason)
  signal.addEventListener('abort', giveUp)
  let part = task.pieces[0]?.parts[0] ?? 0
  const patience = startPatience(stallMs, () => resolve({ kind: 'stuck', part }))
  worker.on('message', (message: DemuxMessage) => {
    patience.renew()
    if (message.kind === 'reading') part = message.part
    else resolve(message)
  })
  worker.on('error', (error) => (isOfSystem(error) ? reject(error) : resolve({ kind: 'thrown', part })))
  try {
    return await promise
  } finally {
    patience.stop()
    signal.removeEventListener('abort', giveUp)
    await worker.terminate()
  }
}

/** A full disk, say. Anything else is what the demuxer threw at bytes that it did not expect, or its lack of memory. */
function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code !== 'ERR_WORKER_OUT_OF_MEMORY'
}
