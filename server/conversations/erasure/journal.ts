import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../kernel/database.ts'
import type { FileStore } from '../../kernel/files/file-store.ts'
import { isUuid } from '../../kernel/ids.ts'
import type { Jobs } from '../../kernel/jobs.ts'
import { byService, deleteConversation } from '../delete-conversation.ts'

const JOURNAL = 'erasures'
const BATCH = 1_000

/** Outside of the database, so that restoring yesterday's does not bring back what was erased since. Holds an id and nothing else. */
export async function noteErasure(files: FileStore, conversationId: string): Promise<void> {
  const note = await files.receive(Readable.from([Buffer.from('erased\n')]), 100)
  await note.keep(`${JOURNAL}/${conversationId}`)
}

/** At every start: what the journal names and the database still holds is erased again. Answers how many. */
export async function reapplyErasures(db: Db, files: FileStore, jobs: Jobs): Promise<number> {
  let again = 0
  for await (const ids of batches(files.list(JOURNAL))) {
    const { rows } = await sql<{ id: string }>`
      select id from conversations where id = any(${ids}) and erased_at is null`.execute(db)
    for (const { id } of rows) await inTransaction(db, (tx) => eraseAgain(jobs, tx, id))
    again += rows.length
  }
  return again
}

/** A backup may have been made between its deletion and its erasure, and hold no job. */
async function eraseAgain(jobs: Jobs, tx: Tx, id: string): Promise<void> {
  const isDeleted = await deleteConversation(jobs, tx, id, byService('conversation.erase_again'))
  if (!isDeleted) await jobs.enqueue(tx, 'erase', { conversation_id: id })
}

async function* batches(names: AsyncIterable<string>): AsyncIterable<string[]> {
  let batch: string[] = []
  for await (const name of names) {
    if (isUuid(name)) batch.push(name)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
