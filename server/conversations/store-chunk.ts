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

/** The row of a stored file together with the job that hears it; the conversation is locked. False: these very bytes are there already. */
export async function storeChunk(
  { jobs }: Lifecycle,
  tx: Tx,
  row: ConversationRow,
  chunk: NewChunk,
  urgency: number,
): Promise<boolean> {
  const { seq, file } = chunk
  if (!(await insert(tx, row.id, chunk))) return false
  await tx
    .updateTable('conversations')
    .set({ active_at: sql`now()`, bytes: sql`bytes + ${file.bytes}` })
    .where('id', '=', row.id)
    .execute()
  if (row.finished_at !== null) await reopenConversation(tx, row)
  const job = { conversation_id: row.id, seq }
  await jobs.enqueue(tx, 'transcribe', job, { projectId: row.project_id, urgency })
  return true
}

async function insert(tx: Tx, id: string, { seq, file, container, recordedAt }: NewChunk): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('chunks')
    .values({
      conversation_id: id,
      seq,
      digest: file.digest,
      bytes: file.bytes,
      container,
      recorded_at: recordedAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 1n) return true
  const { digest } = await tx
    .selectFrom('chunks')
    .select('digest')
    .where('conversation_id', '=', id)
    .where('seq', '=', seq)
    .executeTakeFirstOrThrow()
  if (!digest.equals(file.digest))
    throw new Problem('conflict', { detail: 'Other bytes were stored under this number.' })
  return false
}

/** The bytes decide what a file is, whatever it is called. */
export function requireContainer(file: ReceivedFile): Container {
  const container = sniffContainer(file.head)
  if (container === null)
    throw new Problem('unsupported_media', { detail: 'These bytes are no audio that the service knows.' })
  return container
}
