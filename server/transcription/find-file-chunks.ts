import type { Selectable } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { type ConversationRow, lockConversation } from '../conversations/index.ts'

export type ChunkRow = Selectable<Tables['chunks']>
type ProjectRow = Pick<Selectable<Tables['projects']>, 'language' | 'languages' | 'hotwords'>

/** Chunks that are one file together: a head, and what continues it. */
export interface Run {
  conversation: ConversationRow
  project: ProjectRow
  /** From the head to the chunk that is to be heard, which is the last. */
  chunks: ChunkRow[]
  chunk: ChunkRow
}

/** What it continues never came, and never will. */
type Lost = Pick<Run, 'conversation' | 'chunk'> & { isLost: true }

/**
 * Null: there is nothing to do, or not yet. Those before it are heard first where `inOrder` says so, or where it continues
 * them; they enqueue it when they are.
 */
export async function findRun(
  db: Db,
  conversationId: string,
  seq: number,
  inOrder: boolean,
): Promise<Run | Lost | null> {
  const found = await look(db, conversationId, seq, inOrder)
  if (found !== 'waits') return found
  // Once more with the conversation locked, as the chunk before it may have been heard just now.
  return inTransaction(db, async (tx) => {
    if (!(await lockConversation(tx, conversationId))) return null
    const now = await look(tx, conversationId, seq, inOrder)
    if (now !== 'waits') return now
    await tx
      .updateTable('chunks')
      .set({ waits_for_previous: true })
      .where('conversation_id', '=', conversationId)
      .where('seq', '=', seq)
      .execute()
    return null
  })
}

async function look(
  db: Db | Tx,
  conversationId: string,
  seq: number,
  inOrder: boolean,
): Promise<Run | Lost | 'waits' | null> {
  const conversation = await db
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', conversationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!conversation) return null
  const chunks = await runUpTo(db, conversationId, seq)
  const chunk = chunks.at(-1)
  if (chunk?.seq !== seq || chunk.state !== 'stored') return null
  if (!isUnbroken(chunks))
    return conversation.status === 'transcribing' ? { conversation, chunk, isLost: true } : 'waits'
  if (chunks.slice(0, -1).some(({ state }) => state === 'stored')) return 'waits'
  if (inOrder && isComing(await runUpTo(db, conversationId, seq - 1), seq - 1)) return 'waits'
  return { conversation, project: await projectOf(db, conversation.project_id), chunks, chunk }
}

/** Whether the last of them will be heard soon: nothing that it continues is missing, and nothing has gone wrong with it. */
function isComing(chunks: readonly ChunkRow[], seq: number): boolean {
  const last = chunks.at(-1)
  return last?.seq === seq && last.state === 'stored' && last.failure === null && isUnbroken(chunks)
}

/** A file from its head on, without a hole. */
export const isUnbroken = (chunks: readonly ChunkRow[]): boolean =>
  chunks[0]?.container !== null && chunks.length === (chunks.at(-1)?.seq ?? 0) - (chunks[0]?.seq ?? 0) + 1

/** How much of a chunk was heard, in milliseconds. */
export const lengthOf = ({ duration_ms, transcribed_ms }: ChunkRow): number =>
  duration_ms ?? transcribed_ms ?? 0

export const lengthOfAll = (chunks: readonly ChunkRow[]): number =>
  chunks.reduce((sum, chunk) => sum + lengthOf(chunk), 0)

export async function runUpTo(db: Db | Tx, conversationId: string, seq: number): Promise<ChunkRow[]> {
  const head = await db
    .selectFrom('chunks')
    .select('seq')
    .where('conversation_id', '=', conversationId)
    .where('seq', '<=', seq)
    .where('container', 'is not', null)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return db
    .selectFrom('chunks')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .where('seq', '>=', head?.seq ?? seq)
    .where('seq', '<=', seq)
    .orderBy('seq')
    .execute()
}

const projectOf = (db: Db | Tx, id: string): Promise<ProjectRow> =>
  db
    .selectFrom('projects')
    .select(['language', 'languages', 'hotwords'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
