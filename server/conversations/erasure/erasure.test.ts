import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { type FileStore, StorageFull } from '../../../storage/file-store.ts'
import {
  newConversation,
  newPortal,
  type TestConversation,
  untilStatus,
} from '../../../test/support/conversations.ts'
import { findWord as placesIn } from '../../../test/support/database/dump.ts'
import { scriptedEngines, wavOf } from '../../../test/support/engines.ts'
import { until } from '../../../test/support/webhooks.ts'
import { chunkKey, folderOf } from '../chunks/file-keys.ts'
import { backend, lifecycle, portal, query, setUp, untilErased } from '../testing/setup.ts'
import { eraseConversation } from './erase-conversation.ts'
import { noteErasure, reapplyErasures, removeErasedFiles, removeRecentlyErasedFiles } from './journal.ts'
import { recoverStalledErasures } from './sweep.ts'

const CANARY = 'xylophonecanary'

setUp({ engines: scriptedEngines() })

async function spoken(): Promise<TestConversation> {
  const conversation = await newConversation(portal, { participant_name: `Ada ${CANARY}`, tags: [CANARY] })
  const { id, token, send } = conversation
  await send('PUT', '/chunks/0', wavOf(`The ${CANARY} sings`))
  await send('POST', '/text', { content: `I wrote ${CANARY}` })
  await send('POST', '/finish')
  await untilStatus(portal, id, token, 'done')
  return conversation
}

const findWord = (word: string) => placesIn(word, backend.database.pool, backend.filesFolder)

const auditOf = async (id: string): Promise<unknown[][]> => {
  const entries = 'select action, actor_id, organisation_id from audit_log where target_id = $1 order by id'
  return (await query(entries, [id])).map((row) => Object.values(row))
}

const erase = async ({ id }: TestConversation) => {
  assert.equal((await portal.owner.send('DELETE', `/api/v2/conversations/${id}`)).status, 204)
  await untilErased(id)
}

/** Stores a file for a chunk, as a backup or a late request does. */
const storeChunk = async (id: string, seq: number) =>
  (await backend.files.receive(Readable.from([Buffer.from(CANARY)]), 100)).keep(
    chunkKey(id, seq, Buffer.alloc(32)),
  )

const filesOf = (id: string) => Array.fromAsync(backend.files.list(folderOf(id)))

test('a withdrawn conversation is in no row, file or event payload', async () => {
  const { id, send } = await spoken()
  const before = await findWord(CANARY)
  for (const table of ['conversations', 'segments', 'text_entries', 'events'])
    assert.ok(
      before.some((place) => place.includes(table)),
      `the canary was in ${table}: ${before.join()}`,
    )
  assert.ok(before.some((place) => place.startsWith('/')))
  assert.equal((await send('DELETE', '')).status, 204)
  assert.equal((await send('GET', '')).status, 404)
  assert.equal((await send('PUT', '/chunks/1')).status, 404)
  assert.equal((await portal.owner.get(`/api/v2/conversations/${id}`)).status, 404)
  await untilErased(id)
  assert.deepEqual(await findWord(CANARY), [])
  assert.deepEqual(await auditOf(id), [['conversation.withdraw', 'participant', portal.organisationId]])
})

test('a deletion by a host erases the content and is audited', async () => {
  const conversation = await spoken()
  const { id } = conversation
  await erase(conversation)
  assert.equal((await portal.owner.send('DELETE', `/api/v2/conversations/${id}`)).status, 404)
  assert.deepEqual(await findWord(CANARY), [])
  assert.deepEqual(await auditOf(id), [['conversation.delete', portal.owner.userId, portal.organisationId]])
})

test('re-erases conversations of the journal that a database backup restored', async () => {
  const conversation = await spoken()
  const { id } = conversation
  const saved = await query('select * from conversations where id = $1', [id])
  await erase(conversation)
  // A restored backup has the row as it was.
  await query(
    `update conversations set deleted_at = null, erased_at = null, title = $2, participant_name = $3 where id = $1`,
    [id, saved[0].title, saved[0].participant_name],
  )
  assert.equal((await findWord(CANARY)).length, 1)
  assert.equal(await reapplyErasures(lifecycle(), backend.database.db, backend.files), 1)
  await untilErased(id)
  assert.deepEqual(await findWord(CANARY), [])
})

test('removes recordings that a file backup restored, and completes its journal', async () => {
  const [noted, unnoted, living] = [await spoken(), await spoken(), await spoken()]
  // A backup of the files brings the recordings back, and an earlier journal.
  for (const conversation of [noted, unnoted]) {
    await erase(conversation)
    await storeChunk(conversation.id, 0)
  }
  await backend.files.remove(`erasures/${unnoted.id}`)
  // A conversation that is in the journal, but not in the database.
  const forgotten = newId()
  await noteErasure(backend.files, forgotten)
  await storeChunk(forgotten, 0)

  const { signal } = new AbortController()
  assert.equal(await removeErasedFiles(backend.database.db, backend.files, signal), 3)
  for (const id of [noted.id, unnoted.id, forgotten]) {
    assert.deepEqual(await filesOf(id), [])
    assert.notEqual(await backend.files.size(`erasures/${id}`), null)
  }
  assert.notDeepEqual(await filesOf(living.id), [])
  assert.equal(await removeErasedFiles(backend.database.db, backend.files, signal), 0)
  await erase(living)
})

test('removes a chunk that was stored after its conversation was erased', async () => {
  const [erased, living] = [await spoken(), await spoken()]
  await erase(erased)
  await storeChunk(erased.id, 1)
  const { signal } = new AbortController()
  assert.equal(await removeRecentlyErasedFiles(backend.database.db, backend.files, signal), 1)
  assert.deepEqual(await filesOf(erased.id), [])
  assert.notDeepEqual(await filesOf(living.id), [])
  await erase(living)
})

test('an erasure on a full disk removes the recordings before it writes its note', async () => {
  const { id } = await spoken()
  await query('update conversations set deleted_at = now() where id = $1', [id])
  let isFull = true
  const files: FileStore = {
    ...backend.files,
    receive: (...args) => (isFull ? Promise.reject(new StorageFull()) : backend.files.receive(...args)),
    removeAll: async (prefix) => {
      await backend.files.removeAll(prefix)
      isFull = false
    },
  }
  await eraseConversation({ db: backend.database.db, files }, id)
  await untilErased(id)
  assert.deepEqual(await filesOf(id), [])
  assert.notEqual(await backend.files.size(`erasures/${id}`), null)
})

test('an erasure that lost its job is enqueued by the journal, or after an hour', async () => {
  // Deleted in a backup that was made before the erasure, and that has no job.
  const [noted, lost, recent] = [await spoken(), await spoken(), await spoken()]
  for (const { id } of [noted, lost, recent])
    await query('update conversations set deleted_at = now() where id = $1', [id])
  await noteErasure(backend.files, noted.id)
  await query(`update conversations set deleted_at = now() - interval '61 minutes' where id = $1`, [lost.id])
  const { db } = backend.database
  assert.equal(await reapplyErasures(lifecycle(), db, backend.files), 1)
  assert.equal(await recoverStalledErasures(db, backend.jobs), 1)
  await untilErased(noted.id)
  await untilErased(lost.id)
  const [row] = await query('select erased_at from conversations where id = $1', [recent.id])
  assert.equal(row.erased_at, null, 'its own job can be running')
  await query(`update conversations set deleted_at = now() - interval '61 minutes' where id = $1`, [
    recent.id,
  ])
  await recoverStalledErasures(db, backend.jobs)
  await untilErased(recent.id)
  assert.deepEqual(await findWord(CANARY), [])
})

test('erases conversations past the retention period, and those of deleted projects', async () => {
  const own = await newPortal(backend, { retention_days: 30, consent_text: 'We keep it for a month.' })
  const old = await newConversation(own, { consent: true })
  const young = await newConversation(own, { consent: true })
  for (const { send } of [old, young]) await send('POST', '/finish')
  for (const { id, token } of [old, young]) await untilStatus(own, id, token, 'done')
  await query(`update conversations set finished_at = now() - interval '31 days' where id = $1`, [old.id])
  await untilErased(old.id)
  assert.deepEqual(await auditOf(old.id), [['conversation.expire', 'service', own.organisationId]])
  assert.equal((await young.send('GET', '')).status, 200)
  assert.equal((await own.owner.send('DELETE', `/api/v2/projects/${own.projectId}`)).status, 204)
  assert.equal((await young.send('GET', '')).status, 404)
  await untilErased(young.id)
  await until(
    () => query('select version from consent_texts where project_id = $1', [own.projectId]),
    (texts) => texts.length === 0,
  )
})
