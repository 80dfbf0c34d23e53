import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../../database/database.ts'
import { type FileStore, StorageFull } from '../../../storage/file-store.ts'
import { erasePayloads } from '../../webhooks/index.ts'
import { folderOf } from '../chunks/file-keys.ts'
import { faultPoint } from '../fault-points.ts'
import { noteErasure } from './journal.ts'

/** Files first and rows last, so that an erasure that failed half-way is found and repeated. The row stays, without content. */
export async function eraseConversation(
  { db, files }: { db: Db; files: FileStore },
  id: string,
): Promise<void> {
  const { rows } = await sql`
    select from conversations where id = ${id} and deleted_at is not null and erased_at is null`.execute(db)
  if (rows.length === 0) return
  await removeRecordings(files, id)
  faultPoint('in_erasure')
  await inTransaction(db, (tx) => erasePayloads(tx, id))
  await inTransaction(db, (tx) => eraseRows(tx, id))
}

/** The note first, so that a restored backup knows of it. On a full disk the recordings must be removed to make room for it. */
async function removeRecordings(files: FileStore, id: string): Promise<void> {
  const failure: unknown = await noteErasure(files, id).catch((error: unknown) => error)
  if (failure && !(failure instanceof StorageFull)) throw failure
  await files.removeAll(folderOf(id))
  if (failure) await noteErasure(files, id)
}

const CONTENT_TABLES = [
  'segments',
  'segment_corrections',
  'removed_segments',
  // With its segments.
  'second_passes',
  'text_entries',
  'chunks',
  'conversation_words',
  'conversation_notes',
] as const

async function eraseRows(tx: Tx, id: string): Promise<void> {
  for (const table of CONTENT_TABLES) await tx.deleteFrom(table).where('conversation_id', '=', id).execute()
  await tx
    .updateTable('conversations')
    .set({
      participant_name: null,
      participant_email: null,
      tags: [],
      title: null,
      summary: null,
      token_digest: null,
      detected_language: null,
      language: null,
      audio: null,
      speakers: null,
      code: null,
      erased_at: sql`now()`,
    })
    .where('id', '=', id)
    .execute()
}
