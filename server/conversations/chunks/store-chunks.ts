import { sql } from 'kysely'
import type { Tx } from '../../../database/database.ts'
import { prepared } from '../../../database/prepared-statements.ts'
import { CONTAINERS, type Container } from '../../../media/containers/container.ts'
import { sniffContainer } from '../../../media/containers/sniff-container.ts'
import type { ReceivedFile } from '../../../storage/file-store.ts'
import { Problem } from '../../api/problems.ts'
import { type Lifecycle, reopenConversation } from '../lifecycle/steps.ts'
import type { ConversationRow } from '../payload.ts'

export interface NewChunk {
  conversationId: string
  seq: number
  file: Pick<ReceivedFile, 'bytes' | 'digest'>
  container: Container | null
  recordedAt: string | null
}

/** The outcome of a chunk: new, already stored with the same or with other bytes, or its conversation was locked or deleted. */
export type Stored = 'new' | 'same' | 'other' | 'without_conversation'

interface StoreOptions {
  priority: number
  /** Whether to wait for conversations that another transaction has locked. */
  waits: boolean
}

/** Inserts the rows of stored files and the jobs that transcribe them. Returns the outcome of each, in order. */
export async function storeChunks(
  { jobs }: Lifecycle,
  tx: Tx,
  chunks: NewChunk[],
  { priority, waits }: StoreOptions,
): Promise<Stored[]> {
  const locked = await lockConversations(tx, chunks, waits)
  const storable = chunks.filter(({ conversationId }) => locked.has(conversationId))
  const made = await insert(tx, storable)
  const others = storable.filter((chunk) => !made.has(keyOf(chunk)))
  const there = await digestsOf(tx, others)
  const outcomes = chunks.map((chunk) => outcomeOf(chunk, made, there))
  const fresh = chunks.filter((_, index) => outcomes[index] === 'new')
  for (const id of new Set(fresh.map(({ conversationId }) => conversationId))) {
    const row = locked.get(id) as LockedConversation
    if (row.finished_at !== null) await reopenConversation(tx, row)
  }
  await jobs.enqueueAll(
    tx,
    'transcribe',
    fresh.map(({ conversationId, seq }) => ({
      data: { conversation_id: conversationId, seq },
      projectId: (locked.get(conversationId) as LockedConversation).project_id,
      priority,
    })),
  )
  return outcomes
}

/** A batch can contain a number twice: the first chunk with the bytes of the row is the new one. */
function outcomeOf(chunk: NewChunk, made: Map<string, Buffer>, there: Map<string, Buffer>): Stored {
  const key = keyOf(chunk)
  const digest = made.get(key) ?? there.get(key)
  if (!digest) return 'without_conversation'
  if (!digest.equals(chunk.file.digest)) return 'other'
  there.set(key, digest)
  return made.delete(key) ? 'new' : 'same'
}

/** Stores one chunk of an existing conversation. */
export async function storeChunk(
  lifecycle: Lifecycle,
  tx: Tx,
  chunk: NewChunk,
  priority: number,
): Promise<void> {
  const [stored] = await storeChunks(lifecycle, tx, [chunk], { priority, waits: true })
  const problem = stored && problemOf(stored)
  if (problem) throw problem
}

/** The problem of a chunk that was not stored. */
export function problemOf(stored: Stored): Problem | null {
  if (stored === 'other') return new Problem('chunk_conflict')
  return stored === 'without_conversation' ? new Problem('not_found') : null
}

type LockedConversation = Pick<
  ConversationRow,
  'id' | 'project_id' | 'status' | 'revision' | 'finished_at' | 'finished_by_participant'
>

/** In the order of their ids, to avoid deadlocks. */
async function lockConversations(
  tx: Tx,
  chunks: NewChunk[],
  waits: boolean,
): Promise<Map<string, LockedConversation>> {
  const ids = [...new Set(chunks.map(({ conversationId }) => conversationId))]
  const { rows } = await sql<LockedConversation>`${prepared}
    select id, project_id, status, revision, finished_at, finished_by_participant
    from conversations where id = any(${ids}::uuid[]) and deleted_at is null
    order by id for no key update ${sql.raw(waits ? '' : 'skip locked')}`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}

const keyOf = ({ conversationId, seq }: NewChunk): string => `${conversationId}/${seq}`

interface KeyedDigest {
  /** Like `keyOf`. */
  key: string
  digest: Buffer
}

const byKey = (rows: KeyedDigest[]): Map<string, Buffer> =>
  new Map(rows.map(({ key, digest }) => [key, digest]))

/** Inserts new chunks, and updates the activity time and size of their conversations. */
async function insert(tx: Tx, chunks: NewChunk[]): Promise<Map<string, Buffer>> {
  if (chunks.length === 0) return new Map()
  const { rows } = await sql<KeyedDigest>`${prepared}
    with fresh as (
      insert into chunks (conversation_id, seq, digest, bytes, container, recorded_at)
      select * from unnest(
        ${chunks.map(({ conversationId }) => conversationId)}::uuid[],
        ${chunks.map(({ seq }) => seq)}::integer[],
        ${chunks.map(({ file }) => file.digest)}::bytea[],
        ${chunks.map(({ file }) => file.bytes)}::bigint[],
        ${chunks.map(({ container }) => container)}::text[],
        ${chunks.map(({ recordedAt }) => recordedAt)}::timestamptz[])
      on conflict do nothing
      returning conversation_id, seq, digest, bytes
    ), grown as (
      update conversations c set active_at = now(),
        bytes = c.bytes + coalesce((select sum(f.bytes) from fresh f where f.conversation_id = c.id), 0)
      where c.id = any(${chunks.map(({ conversationId }) => conversationId)}::uuid[])
    )
    select conversation_id || '/' || seq as key, digest from fresh`.execute(tx)
  return byKey(rows)
}

async function digestsOf(tx: Tx, chunks: NewChunk[]): Promise<Map<string, Buffer>> {
  if (chunks.length === 0) return new Map()
  const { rows } = await sql<KeyedDigest>`
    select conversation_id || '/' || seq as key, c.digest
    from unnest(${chunks.map(({ conversationId }) => conversationId)}::uuid[], ${chunks.map(({ seq }) => seq)}::integer[])
      as asked (conversation_id, seq)
    join chunks c using (conversation_id, seq)`.execute(tx)
  return byKey(rows)
}

const FORMATS = Object.values(CONTAINERS)
  .map(({ name }) => name)
  .join(', ')

/** The bytes determine the container, not the content type or name. */
export function requireContainer(file: ReceivedFile): Container {
  const container = sniffContainer(file.head)
  if (container === null)
    throw new Problem('unsupported_media', {
      detail: `The file is not audio in a supported format. Send one of these: ${FORMATS}.`,
    })
  return container
}
