import { setTimeout as pause } from 'node:timers/promises'
import { type Db, inTransaction } from '../../../database/database.ts'
import { type Lifecycle, PRIORITY } from '../lifecycle/steps.ts'
import { type NewChunk, type Stored, storeChunks } from '../store-chunks.ts'

/** Resolves once the chunk's row and its job are durable, and so is its file: `kept` tells. */
export type RecordChunk = (chunk: NewChunk, kept: Promise<void>) => Promise<Stored>

interface Waiting {
  chunk: NewChunk
  kept: Promise<void>
  resolve(stored: Stored): void
  reject(error: unknown): void
}

const MOST_AT_ONCE = 200
/** Under load chunks wait this long for company. */
const GATHER_MS = 1

/**
 * Records chunks in one transaction at a time, each for all that came meanwhile: a lone one goes at once, and a full room
 * shares the cost. By itself each of 64 at once took 2.5 ms of PostgreSQL's time, most of it for parsing and committing. Whose
 * conversation is held, by its transcript for example, waits for it in a line of its own.
 */
export function createChunkRecorder(db: Db, lifecycle: Lifecycle): RecordChunk {
  const store = (batch: Waiting[], waits: boolean): Promise<Stored[]> => {
    const chunks = batch.map(({ chunk }) => chunk)
    return inTransaction(db, async (tx) => {
      const stored = await storeChunks(lifecycle, tx, chunks, { priority: PRIORITY.live, waits })
      // Files get their names meanwhile, which takes as long; no row is there before its file.
      await Promise.all(batch.map(({ kept }) => kept))
      return stored
    })
  }
  const held = new Map<string, Line>()
  const waitForConversation = (waiting: Waiting) => {
    const id = waiting.chunk.conversationId
    const line =
      held.get(id) ??
      newLine(
        (batch) => store(batch, true),
        settle,
        () => held.delete(id),
      )
    held.set(id, line)
    line.add(waiting)
  }
  const everybody = newLine(
    (batch) => store(batch, false),
    (waiting, stored) =>
      stored === 'without_conversation' ? waitForConversation(waiting) : settle(waiting, stored),
  )
  return (chunk, kept) => {
    const { promise, resolve, reject } = Promise.withResolvers<Stored>()
    // Looked at when its turn comes, which may be after it failed.
    kept.catch(() => {})
    everybody.add({ chunk, kept, resolve, reject })
    return promise
  }
}

const settle = ({ resolve }: Waiting, stored: Stored): void => resolve(stored)

interface Line {
  add(waiting: Waiting): void
}

/** One batch at a time, of all that wait. */
function newLine(
  store: (batch: Waiting[]) => Promise<Stored[]>,
  conclude: (waiting: Waiting, stored: Stored) => void,
  whenIdle: () => void = () => {},
): Line {
  const queue: Waiting[] = []
  let isRecording = false

  async function recordAll(): Promise<void> {
    isRecording = true
    while (queue.length > 0) {
      const batch = queue.splice(0, MOST_AT_ONCE)
      try {
        const outcomes = await store(batch)
        for (const [place, waiting] of batch.entries()) conclude(waiting, outcomes[place] as Stored)
      } catch (error) {
        await refuse(batch, error)
      }
      await pause(GATHER_MS)
    }
    isRecording = false
    whenIdle()
  }

  /** All were undone for one whose file could not be kept: that one is told, and the others have another turn. */
  async function refuse(batch: Waiting[], error: unknown): Promise<void> {
    const files = await Promise.allSettled(batch.map(({ kept }) => kept))
    const isOneMissing = files.some(({ status }) => status === 'rejected')
    for (const [place, waiting] of batch.entries()) {
      const file = files[place]
      if (file?.status === 'rejected') waiting.reject(file.reason)
      else if (isOneMissing) queue.push(waiting)
      else waiting.reject(error)
    }
  }

  return {
    add(waiting) {
      queue.push(waiting)
      if (!isRecording) void recordAll()
    },
  }
}
