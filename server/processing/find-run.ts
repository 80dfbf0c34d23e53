import type { Selectable } from 'kysely'
import type { ConversationRow } from '../conversations/index.ts'
import type { Db } from '../kernel/database.ts'
import type { Tables } from '../kernel/tables.ts'

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
    return conversation.status === 'transcribing' ? { conversation, chunk, isLost: true } : null
  if (chunks.slice(0, -1).some(isWaiting)) return null
  if (inOrder && (await isWaitingAt(db, conversationId, seq - 1))) return null
  return { conversation, project: await projectOf(db, conversation.project_id), chunks, chunk }
}

/** A file from its head on, without a hole. */
export const isUnbroken = (chunks: readonly ChunkRow[]): boolean =>
  chunks[0]?.container !== null && chunks.length === (chunks.at(-1)?.seq ?? 0) - (chunks[0]?.seq ?? 0) + 1

const isWaiting = ({ state }: Pick<ChunkRow, 'state'>): boolean => state === 'stored'

/** How much of a chunk was heard, in milliseconds. */
export const lengthOf = ({ duration_ms, heard_ms }: ChunkRow): number => duration_ms ?? heard_ms ?? 0

export const lengthOfAll = (chunks: readonly ChunkRow[]): number =>
  chunks.reduce((sum, chunk) => sum + lengthOf(chunk), 0)

export async function runUpTo(db: Db, conversationId: string, seq: number): Promise<ChunkRow[]> {
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

async function isWaitingAt(db: Db, conversationId: string, seq: number): Promise<boolean> {
  const chunk = await db
    .selectFrom('chunks')
    .select('state')
    .where('conversation_id', '=', conversationId)
    .where('seq', '=', seq)
    .executeTakeFirst()
  return chunk !== undefined && isWaiting(chunk)
}

const projectOf = (db: Db, id: string): Promise<ProjectRow> =>
  db
    .selectFrom('projects')
    .select(['language', 'languages', 'hotwords'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
