import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../../database/database.ts'
import { isUuid } from '../../../platform/ids.ts'
import type { FileStore } from '../../../storage/file-store.ts'
import { folderOf } from '../chunks/file-keys.ts'
import { byService, deleteConversation } from '../delete-conversation.ts'
import { idsInBatches } from '../find-conversation.ts'
import type { Lifecycle } from '../lifecycle/steps.ts'

const JOURNAL = 'erasures'
const BATCH_SIZE = 1_000

const noteOf = (conversationId: string): string => `${JOURNAL}/${conversationId}`

/** Stored outside of the database, so that restoring a backup does not bring back erased conversations. Contains only the id. */
export async function noteErasure(files: FileStore, conversationId: string): Promise<void> {
  const note = await files.receive(Readable.from([Buffer.from('erased\n')]), 100)
  try {
    await note.keep(noteOf(conversationId))
  } finally {
    await note.discard()
  }
}

/** At every start: re-erases conversations that the journal lists and the database still has. Returns their number. */
export async function reapplyErasures(lifecycle: Lifecycle, db: Db, files: FileStore): Promise<number> {
  let count = 0
  for await (const ids of journalIds(files)) {
    const { rows } = await sql<{ id: string }>`
      select id from conversations where id = any(${ids}) and erased_at is null`.execute(db)
    for (const { id } of rows) await inTransaction(db, (tx) => eraseAgain(lifecycle, tx, id))
    count += rows.length
  }
  return count
}

/** A backup that was made between the deletion and the erasure has no job. */
async function eraseAgain(lifecycle: Lifecycle, tx: Tx, id: string): Promise<void> {
  const isDeleted = await deleteConversation(lifecycle, tx, id, byService('conversation.erase_again'))
  if (!isDeleted) await lifecycle.jobs.enqueue(tx, 'erase', { conversation_id: id })
}

/**
 * At every start, because the files and their journal can be from a backup: removes the recordings of conversations that the journal
 * or the database lists as erased, and adds missing notes to the journal. Returns how many conversations had files.
 */
export async function removeErasedFiles(db: Db, files: FileStore, signal: AbortSignal): Promise<number> {
  const inJournal = await countRemoved(files, journalIds(files), signal)
  const inDatabase = await countRemoved(files, idsInBatches(erased(db), BATCH_SIZE), signal, async (id) => {
    if ((await files.size(noteOf(id))) === null) await noteErasure(files, id)
  })
  return inJournal + inDatabase
}

/** Removes files that a killed process stored after the erasure of their conversation. Returns how many conversations had files. */
export const removeRecentlyErasedFiles = (db: Db, files: FileStore, signal: AbortSignal): Promise<number> => {
  const recent = erased(db).where('erased_at', '>', sql<string>`now() - interval '1 day'`)
  return countRemoved(files, idsInBatches(recent, BATCH_SIZE), signal)
}

const erased = (db: Db) => db.selectFrom('conversations').where('erased_at', 'is not', null)

/** Between batches, so that recordings in progress are not slowed down. */
const PAUSE_MS = 100

async function countRemoved(
  files: FileStore,
  batches: AsyncIterable<string[]>,
  signal: AbortSignal,
  before: (id: string) => Promise<void> = async () => {},
): Promise<number> {
  let count = 0
  for await (const ids of batches) {
    for (const id of ids) {
      await before(id)
      if (await removeFiles(files, id)) count += 1
    }
    await pause(PAUSE_MS, undefined, { signal })
  }
  return count
}

/** Returns whether there were any. */
async function removeFiles(files: FileStore, id: string): Promise<boolean> {
  for await (const _ of files.list(folderOf(id))) {
    await files.removeAll(folderOf(id))
    return true
  }
  return false
}

async function* journalIds(files: FileStore): AsyncIterable<string[]> {
  let batch: string[] = []
  for await (const name of files.list(JOURNAL)) {
    if (isUuid(name)) batch.push(name)
    if (batch.length < BATCH_SIZE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
