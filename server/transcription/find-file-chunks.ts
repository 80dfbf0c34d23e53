import { type Selectable, sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../database/database.ts'
import { prepared } from '../../database/prepared-statements.ts'
import type { Tables } from '../../database/tables.ts'
import {
  type ConversationRow,
  conversationById,
  type Lifecycle,
  lockConversation,
  PRIORITY,
} from '../conversations/index.ts'

export type ChunkRow = Selectable<Tables['chunks']>
export type ProjectRow = Pick<Selectable<Tables['projects']>, 'language' | 'languages' | 'hotwords'>

/** The chunks that form one file: a first one with the file's header, or after a missing chunk, and its continuations. */
export interface FileChunks {
  conversation: ConversationRow
  project: ProjectRow
  /** From the first chunk of the file to the chunk to transcribe. */
  chunks: ChunkRow[]
  chunk: ChunkRow
}

/** How long the chunks after a missing one wait for it, so that live text continues. If it arrives later, they are corrected. */
export const LATE_MS = 10_000

/** Null if there is nothing to do, or if the chunks before it come first (it continues them, or `inOrder`): they enqueue it then. */
export async function findFileChunks(
  { db, jobs }: Pick<Lifecycle, 'jobs'> & { db: Db },
  conversationId: string,
  seq: number,
  inOrder: boolean,
): Promise<FileChunks | null> {
  const found = await findNow(db, conversationId, seq, inOrder)
  if (found === null || 'chunks' in found) return found
  // Look again with the conversation locked: the chunk before can have been transcribed since.
  return inTransaction(db, async (tx) => {
    const row = await lockConversation(tx, conversationId)
    if (!row) return null
    const now = await findNow(tx, conversationId, seq, inOrder)
    if (now === null || 'chunks' in now) return now
    await tx
      .updateTable('chunks')
      .set({ waits_for_previous: true })
      .where((is) => is.and({ conversation_id: conversationId, seq }))
      .execute()
    if (now.waitsUntil) {
      const options = { projectId: row.project_id, priority: PRIORITY.live, startAfter: now.waitsUntil }
      await jobs.enqueue(tx, 'transcribe', { conversation_id: conversationId, seq }, options)
    }
    return null
  })
}

/** `waitsUntil`: when the missing chunk before it is late; null: the chunk before it is not missing. */
type Waits = { waitsUntil: Date | null }

async function findNow(
  db: Db | Tx,
  conversationId: string,
  seq: number,
  inOrder: boolean,
): Promise<FileChunks | Waits | null> {
  const conversation = await conversationById(db, conversationId).executeTakeFirst()
  if (!conversation) return null
  const chunks = await fileChunksUpTo(db, conversationId, seq)
  const chunk = chunks.at(-1)
  if (chunk?.seq !== seq || chunk.state !== 'stored') return null
  if (chunks.length > 1 && chunks.slice(0, -1).some(({ state }) => state === 'stored'))
    return { waitsUntil: null }
  const lateAt = Date.parse(chunk.received_at) + LATE_MS
  if (
    chunks.length === 1 &&
    !hasHeader(chunks) &&
    conversation.status !== 'transcribing' &&
    Date.now() < lateAt
  )
    return { waitsUntil: new Date(lateAt) }
  if (inOrder && isPending(await fileChunksUpTo(db, conversationId, seq - 1), seq - 1))
    return { waitsUntil: null }
  return { conversation, project: await projectOf(db, conversation.project_id), chunks, chunk }
}

/** Whether the last of them will be transcribed soon: its file has a header, and it has not failed. */
function isPending(chunks: readonly ChunkRow[], seq: number): boolean {
  const last = chunks.at(-1)
  return last?.seq === seq && last.state === 'stored' && last.failure === null && hasHeader(chunks)
}

/** Whether the file begins with its header. Otherwise the chunk before it is missing. */
export const hasHeader = (chunks: readonly ChunkRow[]): boolean => (chunks[0]?.container ?? null) !== null

/** How much of a chunk was transcribed, in milliseconds. */
export const lengthOf = ({ duration_ms, transcribed_ms }: ChunkRow): number =>
  duration_ms ?? transcribed_ms ?? 0

export const lengthOfAll = (chunks: readonly ChunkRow[]): number =>
  chunks.reduce((sum, chunk) => sum + lengthOf(chunk), 0)

const COLUMNS = [
  'conversation_id',
  'seq',
  'digest',
  'bytes',
  'container',
  'received_at',
  'recorded_at',
  'state',
  'failure',
  'duration_ms',
  'transcribed_ms',
  'finished_ms',
  'waits_for_previous',
  'stream_ms',
  'language',
] as const

/** The chunks up to this one that form one file with it. If it does not exist, those before it. */
export function fileChunksUpTo(db: Db | Tx, conversationId: string, seq: number): Promise<ChunkRow[]> {
  const chunks = db.selectFrom('chunks').where('conversation_id', '=', conversationId).where('seq', '<=', seq)
  const first = chunks
    .where(
      sql<boolean>`(container is not null
        or not exists (select from chunks p where p.conversation_id = ${conversationId} and p.seq = chunks.seq - 1))`,
    )
    .select(({ fn }) => fn.max('seq').as('first'))
  return chunks.select(COLUMNS).where('seq', '>=', first).orderBy('seq').modifyEnd(prepared).execute()
}

/** The last chunks up to this one, in order. */
export async function lastChunksUpTo(
  db: Db,
  conversationId: string,
  seq: number,
  count: number,
): Promise<ChunkRow[]> {
  const chunks = await db
    .selectFrom('chunks')
    .select(COLUMNS)
    .where('conversation_id', '=', conversationId)
    .where('seq', '<=', seq)
    .orderBy('seq', 'desc')
    .limit(count)
    .modifyEnd(prepared)
    .execute()
  return chunks.toReversed()
}

/** A file begins with a header, or after a missing chunk. */
export function splitIntoFiles(chunks: readonly ChunkRow[]): ChunkRow[][] {
  const files: ChunkRow[][] = []
  for (const chunk of chunks) {
    const file = files.at(-1)
    if (file && chunk.container === null && file.at(-1)?.seq === chunk.seq - 1) file.push(chunk)
    else files.push([chunk])
  }
  return files
}

/** A chunk whose header fits a file without one: of the file that it continues, or if that is missing, of the next file. */
export async function headerFor(db: Db, { conversation_id, seq }: ChunkRow): Promise<ChunkRow | null> {
  const headers = db
    .selectFrom('chunks')
    .selectAll()
    .where('conversation_id', '=', conversation_id)
    .where('container', 'is not', null)
  const before = await headers.where('seq', '<', seq).orderBy('seq', 'desc').limit(1).executeTakeFirst()
  // Any bytes are samples to a WAV header, so only the file's own is safe.
  const after = headers.where('seq', '>', seq).where('container', '<>', 'wav')
  return before ?? (await after.orderBy('seq').limit(1).executeTakeFirst()) ?? null
}

export const projectOf = (db: Db | Tx, id: string): Promise<ProjectRow> =>
  db
    .selectFrom('projects')
    .select(['language', 'languages', 'hotwords'])
    .where('id', '=', id)
    .modifyEnd(prepared)
    .executeTakeFirstOrThrow()
