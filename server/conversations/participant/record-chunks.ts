import { setTimeout as pause } from 'node:timers/promises'
import { type Db, inTransaction } from '../../kernel/database.ts'
import { type Lifecycle, URGENCY } from '../lifecycle/steps.ts'
import { type NewChunk, type Stored, storeChunks } from '../store-chunks.ts'

/** Resolves once the chunk's row and its job are durable. */
export type RecordChunk = (chunk: NewChunk) => Promise<Stored>

interface Waiting {
  chunk: NewChunk
  resolve(stored: Stored): void
  reject(error: unknown): void
}

const MOST_AT_ONCE = 200
/** Under load chunks wait this long for company. */
const GATHER_MS = 10

/**
 * Records chunks in one transaction at a time, each for all that came meanwhile: a lone one goes at once, and a full room
 * shares the cost. By itself each of 64 at once took 2.5 ms of PostgreSQL's time, most of it for parsing and committing. Whose
 * conversation is held, by its transcript for example, waits for it in a line of its own.
 */
export function createChunkRecorder(db: Db, lifecycle: Lifecycle): RecordChunk {
  const store = (batch: Waiting[], waits: boolean): Promise<Stored[]> => {
    const chunks = batch.map(({ chunk }) => chunk)
    return inTransaction(db, (tx) => storeChunks(lifecycle, tx, chunks, { urgency: URGENCY.live, waits }))
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
  return (chunk) => {
    const { promise, resolve, reject } = Promise.withResolvers<Stored>()
    everybody.add({ chunk, resolve, reject })
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
        for (const { reject } of batch) reject(error)
      }
      await pause(GATHER_MS)
    }
    isRecording = false
    whenIdle()
  }

  return {
    add(waiting) {
      queue.push(waiting)
      if (!isRecording) void recordAll()
    },
  }
}
