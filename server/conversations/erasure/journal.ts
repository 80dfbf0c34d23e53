import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../../database/database.ts'
import { isUuid } from '../../../platform/ids.ts'
import type { FileStore } from '../../../storage/file-store.ts'
import { folderOf } from '../chunks/file-keys.ts'
import { byService, deleteConversation } from '../delete-conversation.ts'
import type { Lifecycle } from '../lifecycle/steps.ts'

const JOURNAL = 'erasures'
const BATCH = 1_000

const noteOf = (conversationId: string): string => `${JOURNAL}/${conversationId}`

/** Outside of the database, so that restoring yesterday's does not bring back what was erased since. Holds an id and nothing else. */
export async function noteErasure(files: FileStore, conversationId: string): Promise<void> {
  const note = await files.receive(Readable.from([Buffer.from('erased\n')]), 100)
  await note.keep(noteOf(conversationId))
}

/** At every start: what the journal names and the database still holds is erased again. Answers how many. */
export async function reapplyErasures(on: Lifecycle, db: Db, files: FileStore): Promise<number> {
  let again = 0
  for await (const ids of batches(files.list(JOURNAL))) {
    const { rows } = await sql<{ id: string }>`
      select id from conversations where id = any(${ids}) and erased_at is null`.execute(db)
    for (const { id } of rows) await inTransaction(db, (tx) => eraseAgain(on, tx, id))
    again += rows.length
  }
  return again
}

/** A backup may have been made between its deletion and its erasure, and hold no job. */
async function eraseAgain(on: Lifecycle, tx: Tx, id: string): Promise<void> {
  const isDeleted = await deleteConversation(on, tx, id, byService('conversation.erase_again'))
  if (!isDeleted) await on.jobs.enqueue(tx, 'erase', { conversation_id: id })
}

/** Between batches, so that those who record do not feel it. */
const PACE_MS = 100

/**
 * At every start, too, since the files may be yesterday's, and the journal among them: the recordings of whatever the journal
 * or the database calls erased are removed, and what the journal lacks is noted again. Answers how many had files.
 */
export async function removeErasedFiles(db: Db, files: FileStore, signal: AbortSignal): Promise<number> {
  let found = 0
  for await (const ids of batches(files.list(JOURNAL))) {
    for (const id of ids) if (await removeFiles(files, id)) found += 1
    await pause(PACE_MS, undefined, { signal })
  }
  for await (const ids of erasedIn(db)) {
    for (const id of ids) {
      if ((await files.size(noteOf(id))) === null) await noteErasure(files, id)
      if (await removeFiles(files, id)) found += 1
    }
    await pause(PACE_MS, undefined, { signal })
  }
  return found
}

/**
 * Removes files that a chunk or a join stored after their conversation was erased, where the process was killed before it removed
 * them itself. Returns how many conversations had such files.
 */
export async function removeLatelyErasedFiles(
  db: Db,
  files: FileStore,
  signal: AbortSignal,
): Promise<number> {
  let found = 0
  for await (const ids of erasedIn(db, LATELY)) {
    for (const id of ids) if (await removeFiles(files, id)) found += 1
    await pause(PACE_MS, undefined, { signal })
  }
  return found
}

const LATELY = sql<string>`now() - interval '1 day'`

/** Answers whether there were any. */
async function removeFiles(files: FileStore, id: string): Promise<boolean> {
  for await (const _ of files.list(folderOf(id))) {
    await files.removeAll(folderOf(id))
    return true
  }
  return false
}

async function* erasedIn(db: Db, since: RawBuilder<string> | null = null): AsyncIterable<string[]> {
  for (let last: string | null = null; ; ) {
    const page: { id: string }[] = await db
      .selectFrom('conversations')
      .select('id')
      .where('erased_at', 'is not', null)
      .$if(since !== null, (all) => all.where('erased_at', '>', since))
      .$if(last !== null, (rest) => rest.where('id', '>', last))
      .orderBy('id')
      .limit(BATCH)
      .execute()
    if (page.length === 0) return
    const ids = page.map(({ id }) => id)
    yield ids
    last = ids.at(-1) ?? null
  }
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
