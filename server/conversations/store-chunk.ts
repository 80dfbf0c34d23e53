import { sql } from 'kysely'
import type { Tx } from '../kernel/database.ts'
import type { ReceivedFile } from '../kernel/files/file-store.ts'
import { Problem } from '../kernel/problems.ts'
import type { Container } from './audio/container.ts'
import { sniffContainer } from './audio/sniff-container.ts'
import { type Lifecycle, reopenConversation } from './lifecycle/steps.ts'
import type { ConversationRow } from './payload.ts'

export interface NewChunk {
  seq: number
  file: Pick<ReceivedFile, 'bytes' | 'digest'>
  container: Container | null
  recordedAt: string | null
}

/** The row of a stored file together with the job that hears it. False: these very bytes are there already. */
export async function storeChunk(
  { jobs }: Lifecycle,
  tx: Tx,
  conversationId: string,
  chunk: NewChunk,
  urgency: number,
): Promise<boolean> {
  const row = await insert(tx, conversationId, chunk)
  if (!row) throw new Problem('not_found')
  if (!row.is_new) {
    await requireSame(tx, conversationId, chunk)
    return false
  }
  if (row.finished_at !== null) await reopenConversation(tx, row)
  const job = { conversation_id: row.id, seq: chunk.seq }
  await jobs.enqueue(tx, 'transcribe', job, { projectId: row.project_id, urgency })
  return true
}

/**
 * The chunk, and the sign of life of its conversation, whose row is locked by that: one statement, since small chunks wait for
 * the database more than for the disk. Undefined: the conversation was deleted.
 */
async function insert(
  tx: Tx,
  conversationId: string,
  { seq, file, container, recordedAt }: NewChunk,
): Promise<(ConversationRow & { is_new: boolean }) | undefined> {
  const { rows } = await sql<ConversationRow & { is_new: boolean }>`
    with fresh as (
      insert into chunks (conversation_id, seq, digest, bytes, container, recorded_at)
      values (${conversationId}, ${seq}, ${file.digest}, ${file.bytes}, ${container}, ${recordedAt})
      on conflict do nothing
      returning bytes
    )
    update conversations c set active_at = now(), bytes = c.bytes + coalesce((select bytes from fresh), 0)
    where c.id = ${conversationId} and c.deleted_at is null
    returning c.*, exists (select from fresh) as is_new`.execute(tx)
  return rows[0]
}

async function requireSame(tx: Tx, conversationId: string, { seq, file }: NewChunk): Promise<void> {
  const { digest } = await tx
    .selectFrom('chunks')
    .select('digest')
    .where('conversation_id', '=', conversationId)
    .where('seq', '=', seq)
    .executeTakeFirstOrThrow()
  if (!digest.equals(file.digest))
    throw new Problem('conflict', { detail: 'Other bytes were stored under this number.' })
}

/** The bytes decide what a file is, whatever it is called. */
export function requireContainer(file: ReceivedFile): Container {
  const container = sniffContainer(file.head)
  if (container === null)
    throw new Problem('unsupported_media', { detail: 'These bytes are no audio that the service knows.' })
  return container
}
