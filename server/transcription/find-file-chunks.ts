import type { Selectable } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { type ConversationRow, conversationById, lockConversation } from '../conversations/index.ts'

export type ChunkRow = Selectable<Tables['chunks']>
type ProjectRow = Pick<Selectable<Tables['projects']>, 'language' | 'languages' | 'hotwords'>

/** The chunks that form one file: a first one with the file's header, and its continuations. */
export interface FileChunks {
  conversation: ConversationRow
  project: ProjectRow
  /** From the first chunk of the file to the chunk to transcribe. */
  chunks: ChunkRow[]
  chunk: ChunkRow
}

/** The beginning of the file never arrived, and the conversation is finished. */
type MissingStart = Pick<FileChunks, 'conversation' | 'chunk'> & { isStartMissing: true }

/** Null if there is nothing to do, or if the chunks before it come first (it continues them, or `inOrder`): they enqueue it then. */
export async function findFileChunks(
  db: Db,
  conversationId: string,
  seq: number,
  inOrder: boolean,
): Promise<FileChunks | MissingStart | null> {
  const found = await findNow(db, conversationId, seq, inOrder)
  if (found !== 'waits') return found
  // Look again with the conversation locked: the chunk before can have been transcribed since.
  return inTransaction(db, async (tx) => {
    if (!(await lockConversation(tx, conversationId))) return null
    const now = await findNow(tx, conversationId, seq, inOrder)
    if (now !== 'waits') return now
    await tx
      .updateTable('chunks')
      .set({ waits_for_previous: true })
      .where((is) => is.and({ conversation_id: conversationId, seq }))
      .execute()
    return null
  })
}

async function findNow(
  db: Db | Tx,
  conversationId: string,
  seq: number,
  inOrder: boolean,
): Promise<FileChunks | MissingStart | 'waits' | null> {
  const conversation = await conversationById(db, conversationId).executeTakeFirst()
  if (!conversation) return null
  const chunks = await fileChunksUpTo(db, conversationId, seq)
  const chunk = chunks.at(-1)
  if (chunk?.seq !== seq || chunk.state !== 'stored') return null
  if (!isComplete(chunks))
    return conversation.status === 'transcribing' ? { conversation, chunk, isStartMissing: true } : 'waits'
  if (chunks.slice(0, -1).some(({ state }) => state === 'stored')) return 'waits'
  if (inOrder && isPending(await fileChunksUpTo(db, conversationId, seq - 1), seq - 1)) return 'waits'
  return { conversation, project: await projectOf(db, conversation.project_id), chunks, chunk }
}

/** Whether the last of them will be transcribed soon: its file is complete so far, and it has not failed. */
function isPending(chunks: readonly ChunkRow[], seq: number): boolean {
  const last = chunks.at(-1)
  return last?.seq === seq && last.state === 'stored' && last.failure === null && isComplete(chunks)
}

/** Whether the chunks are a file from its first chunk on, without a gap. */
export const isComplete = (chunks: readonly ChunkRow[]): boolean =>
  chunks[0]?.container !== null && chunks.length === (chunks.at(-1)?.seq ?? 0) - (chunks[0]?.seq ?? 0) + 1

/** How much of a chunk was transcribed, in milliseconds. */
export const lengthOf = ({ duration_ms, transcribed_ms }: ChunkRow): number =>
  duration_ms ?? transcribed_ms ?? 0

export const lengthOfAll = (chunks: readonly ChunkRow[]): number =>
  chunks.reduce((sum, chunk) => sum + lengthOf(chunk), 0)

export async function fileChunksUpTo(db: Db | Tx, conversationId: string, seq: number): Promise<ChunkRow[]> {
  const chunks = db.selectFrom('chunks').where('conversation_id', '=', conversationId).where('seq', '<=', seq)
  const { head } = await chunks
    .where('container', 'is not', null)
    .select(({ fn }) => fn.max('seq').as('head'))
    .executeTakeFirstOrThrow()
  return chunks
    .selectAll()
    .where('seq', '>=', head ?? seq)
    .orderBy('seq')
    .execute()
}

const projectOf = (db: Db | Tx, id: string): Promise<ProjectRow> =>
  db
    .selectFrom('projects')
    .select(['language', 'languages', 'hotwords'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
