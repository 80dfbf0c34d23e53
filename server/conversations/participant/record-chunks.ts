import { setTimeout as pause } from 'node:timers/promises'
import { type Db, inTransaction } from '../../kernel/database.ts'
import { type Lifecycle, URGENCY } from '../lifecycle/steps.ts'
import { type NewChunk, type Stored, storeChunks } from '../store-chunks.ts'

/** Resolves once the chunk's row and its job are durable. */
export type RecordChunk = (chunk: NewChunk) => Promise<Stored>

interface Waiting {
  chunk: NewChunk
  resolve(stored: Stored | Promise<Stored>): void
  reject(error: unknown): void
}

const MOST_AT_ONCE = 200
/** Under load chunks wait this long for company. */
const GATHER_MS = 10

/**
 * Records chunks in one transaction at a time, each for all that came meanwhile: a lone one goes at once, and a full room
 * shares the cost. By itself each of 64 at once took 2.5 ms of PostgreSQL's time, most of it for parsing and committing.
 */
export function createChunkRecorder(db: Db, lifecycle: Lifecycle): RecordChunk {
  const queue: Waiting[] = []
  let isRecording = false
  const store = (chunks: NewChunk[], waits: boolean): Promise<Stored[]> =>
    inTransaction(db, (tx) => storeChunks(lifecycle, tx, chunks, { urgency: URGENCY.live, waits }))
  // Whose conversation is held, by its transcript for example, waits for it alone, and holds up nobody else.
  const storeAlone = async (chunk: NewChunk): Promise<Stored> => {
    const [stored] = await store([chunk], true)
    return stored as Stored
  }

  async function recordAll(): Promise<void> {
    isRecording = true
    while (queue.length > 0) {
      const batch = queue.splice(0, MOST_AT_ONCE)
      try {
        const outcomes = await store(
          batch.map(({ chunk }) => chunk),
          false,
        )
        for (const [place, { chunk, resolve }] of batch.entries()) {
          const stored = outcomes[place] as Stored
          resolve(stored === 'without_conversation' ? storeAlone(chunk) : stored)
        }
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
      await pause(GATHER_MS)
    }
    isRecording = false
  }

  return (chunk) => {
    const { promise, resolve, reject } = Promise.withResolvers<Stored>()
    queue.push({ chunk, resolve, reject })
    if (!isRecording) void recordAll()
    return promise
  }
}
