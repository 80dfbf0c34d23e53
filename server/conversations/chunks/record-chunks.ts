import { setTimeout as pause } from 'node:timers/promises'
import { type Db, inTransaction } from '../../../database/database.ts'
import { type Lifecycle, PRIORITY } from '../lifecycle/steps.ts'
import { type NewChunk, type Stored, storeChunks } from './store-chunks.ts'

/** Resolves when the row, the job and the file of the chunk are durable. `kept` resolves when the file is. */
export type RecordChunk = (chunk: NewChunk, kept: Promise<void>) => Promise<Stored>

interface Waiting {
  chunk: NewChunk
  kept: Promise<void>
  done: PromiseWithResolvers<Stored>
}

type Add = (waiting: Waiting) => void

const MAX_BATCH_SIZE = 200
/** Under load, the time in which a batch collects chunks. */
const BATCH_DELAY_MS = 1

/**
 * Records chunks in batches: one transaction at a time stores all chunks that arrived during the previous one. A single chunk
 * does not wait, and many share the cost: without batches, each of 64 concurrent chunks took 2.5 ms of PostgreSQL's time, mostly
 * for parsing and committing. A chunk whose conversation is locked, for example by its transcript, waits in a separate queue.
 */
export function createChunkRecorder(db: Db, lifecycle: Lifecycle): RecordChunk {
  const store = (batch: Waiting[], waits: boolean): Promise<Stored[]> => {
    const chunks = batch.map(({ chunk }) => chunk)
    return inTransaction(db, async (tx) => {
      const stored = await storeChunks(lifecycle, tx, chunks, { priority: PRIORITY.live, waits })
      // Files are renamed at the same time, which takes as long. The transaction commits after them.
      await Promise.all(batch.map(({ kept }) => kept))
      return stored
    })
  }
  const held = new Map<string, Add>()
  const addHeld = (waiting: Waiting) => {
    const id = waiting.chunk.conversationId
    const storeAll = (batch: Waiting[]) => store(batch, true)
    const add = held.get(id) ?? createQueue(storeAll, resolve, () => held.delete(id))
    held.set(id, add)
    add(waiting)
  }
  const add = createQueue(
    (batch) => store(batch, false),
    (waiting, stored) => (stored === 'without_conversation' ? addHeld(waiting) : resolve(waiting, stored)),
  )
  return (chunk, kept) => {
    const done = Promise.withResolvers<Stored>()
    // Awaited only with its batch, which can be after it failed.
    kept.catch(() => {})
    add({ chunk, kept, done })
    return done.promise
  }
}

const resolve = ({ done }: Waiting, stored: Stored): void => done.resolve(stored)

/** Stores one batch at a time. */
function createQueue(
  store: (batch: Waiting[]) => Promise<Stored[]>,
  conclude: (waiting: Waiting, stored: Stored) => void,
  whenIdle: () => void = () => {},
): Add {
  const queue: Waiting[] = []
  let isRecording = false

  async function recordAll(): Promise<void> {
    isRecording = true
    while (queue.length > 0) {
      const batch = queue.splice(0, MAX_BATCH_SIZE)
      try {
        const outcomes = await store(batch)
        for (const [index, waiting] of batch.entries()) conclude(waiting, outcomes[index] as Stored)
      } catch (error) {
        await retryOthers(batch, error)
      }
      await pause(BATCH_DELAY_MS)
    }
    isRecording = false
    whenIdle()
  }

  /** The batch rolled back because a file could not be stored: its chunk fails, and the others are retried. */
  async function retryOthers(batch: Waiting[], error: unknown): Promise<void> {
    const files = await Promise.allSettled(batch.map(({ kept }) => kept))
    const isOneMissing = files.some(({ status }) => status === 'rejected')
    for (const [index, waiting] of batch.entries()) {
      const file = files[index]
      if (file?.status === 'rejected') waiting.done.reject(file.reason)
      else if (isOneMissing) queue.push(waiting)
      else waiting.done.reject(error)
    }
  }

  return (waiting) => {
    queue.push(waiting)
    if (!isRecording) void recordAll()
  }
}
