import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { type FileStore, StorageFull } from '../../../storage/file-store.ts'
import { type Reply, startBackend, type TestBackend } from '../../../test/support/backend.ts'
import { newConversation, newPortal, type Portal, untilStatus } from '../../../test/support/conversations.ts'
import { findWord } from '../../../test/support/dump.ts'
import { scriptedEngines, wavOf } from '../../../test/support/engines.ts'
import { until } from '../../../test/support/webhooks.ts'
import { createEmitter } from '../../webhooks/index.ts'
import { chunkKey, folderOf } from '../chunks/file-keys.ts'
import { eraseConversation } from './erase-conversation.ts'
import { noteErasure, reapplyErasures, removeErasedFiles, removeLatelyErasedFiles } from './journal.ts'
import { recoverStalledErasures } from './sweep.ts'

let backend: TestBackend
let portal: Portal
const CANARY = 'xylophonecanary'

before(async () => {
  backend = await startBackend({ engines: scriptedEngines() })
  portal = await newPortal(backend)
})
after(() => backend.stop())

const query = async (text: string, values: unknown[] = []): Promise<Reply['body'][]> =>
  (await backend.database.pool.query(text, values)).rows

async function spoken(): Promise<{
  id: string
  token: string
  send: (method: string, path: string) => Promise<Reply>
}> {
  const { id, token, send } = await newConversation(portal, {
    participant_name: `Ada ${CANARY}`,
    tags: [CANARY],
  })
  await send('PUT', '/chunks/0', wavOf(`The ${CANARY} sings`))
  await send('POST', '/text', { content: `I wrote ${CANARY}` })
  await send('POST', '/finish')
  await untilStatus(portal, id, token, 'done')
  return { id, token, send }
}

const lifecycle = () => ({
  jobs: backend.jobs,
  emit: createEmitter({ publicUrl: 'http://parley.test', tierGates: true }),
})
const placesOf = (word: string) => findWord(word, backend.database.pool, backend.filesFolder)

/** Of the audit log, the oldest first. */
const deedsOn = async (id: string): Promise<unknown[][]> =>
  (
    await query('select action, actor_id, organisation_id from audit_log where target_id = $1 order by id', [
      id,
    ])
  ).map((row) => Object.values(row))

const untilErased = (id: string) =>
  until(
    async () => (await query('select erased_at from conversations where id = $1', [id]))[0],
    ({ erased_at }) => erased_at !== null,
  )

test('what a participant withdraws is nowhere any more: no row, no file, no payload holds it', async () => {
  const { id, send } = await spoken()
  const before = await placesOf(CANARY)
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
  assert.deepEqual(await placesOf(CANARY), [])
  assert.deepEqual(await deedsOn(id), [['conversation.withdraw', 'participant', portal.organisationId]])
})

test('a host’s deletion erases as well, and is in the audit log', async () => {
  const { id } = await spoken()
  assert.equal((await portal.owner.send('DELETE', `/api/v2/conversations/${id}`)).status, 204)
  assert.equal((await portal.owner.send('DELETE', `/api/v2/conversations/${id}`)).status, 404)
  await untilErased(id)
  assert.deepEqual(await placesOf(CANARY), [])
  assert.deepEqual(await deedsOn(id), [['conversation.delete', portal.owner.userId, portal.organisationId]])
})

test('a restored backup stays erased: the journal outside of the database is applied again', async () => {
  const { id } = await spoken()
  const saved = await query('select * from conversations where id = $1', [id])
  await portal.owner.send('DELETE', `/api/v2/conversations/${id}`)
  await untilErased(id)
  // Yesterday's backup: the row is as it was.
  await query(
    `update conversations set deleted_at = null, erased_at = null, title = $2, participant_name = $3 where id = $1`,
    [id, saved[0].title, saved[0].participant_name],
  )
  assert.equal((await placesOf(CANARY)).length, 1)
  assert.equal(await reapplyErasures(lifecycle(), backend.database.db, backend.files), 1)
  await untilErased(id)
  assert.deepEqual(await placesOf(CANARY), [])
})

test('files that come back with yesterday’s backup are removed, and what its journal lacks is noted again', async () => {
  const [noted, unnoted, living] = [await spoken(), await spoken(), await spoken()]
  for (const { id } of [noted, unnoted]) {
    await portal.owner.send('DELETE', `/api/v2/conversations/${id}`)
    await untilErased(id)
  }
  // Yesterday's backup of the files: their recordings are there again, and the journal is as it was.
  const recordingOf = (id: string) => chunkKey(id, 0, Buffer.alloc(32))
  for (const { id } of [noted, unnoted]) {
    const file = await backend.files.receive(Readable.from([Buffer.from(CANARY)]), 100)
    await file.keep(recordingOf(id))
  }
  await backend.files.remove(`erasures/${unnoted.id}`)
  // Of a conversation that the database does not know any more, the journal knows still.
  const forgotten = newId()
  await noteErasure(backend.files, forgotten)
  await (await backend.files.receive(Readable.from([Buffer.from(CANARY)]), 100)).keep(recordingOf(forgotten))

  const { signal } = new AbortController()
  assert.equal(await removeErasedFiles(backend.database.db, backend.files, signal), 3)
  for (const id of [noted.id, unnoted.id, forgotten]) {
    assert.deepEqual(await Array.fromAsync(backend.files.list(folderOf(id))), [])
    assert.notEqual(await backend.files.size(`erasures/${id}`), null)
  }
  assert.notDeepEqual(await Array.fromAsync(backend.files.list(folderOf(living.id))), [])
  assert.equal(await removeErasedFiles(backend.database.db, backend.files, signal), 0)
  await portal.owner.send('DELETE', `/api/v2/conversations/${living.id}`)
  await untilErased(living.id)
})

test('a chunk that came after its conversation was erased is removed', async () => {
  const [erased, living] = [await spoken(), await spoken()]
  await portal.owner.send('DELETE', `/api/v2/conversations/${erased.id}`)
  await untilErased(erased.id)
  const late = await backend.files.receive(Readable.from([Buffer.from(CANARY)]), 100)
  await late.keep(chunkKey(erased.id, 1, Buffer.alloc(32)))
  const { signal } = new AbortController()
  assert.equal(await removeLatelyErasedFiles(backend.database.db, backend.files, signal), 1)
  assert.deepEqual(await Array.fromAsync(backend.files.list(folderOf(erased.id))), [])
  assert.notDeepEqual(await Array.fromAsync(backend.files.list(folderOf(living.id))), [])
  await portal.owner.send('DELETE', `/api/v2/conversations/${living.id}`)
  await untilErased(living.id)
})

test('a full disk gets room by an erasure: its recordings go before there is room for its note', async () => {
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
  assert.deepEqual(await Array.fromAsync(backend.files.list(folderOf(id))), [])
  assert.notEqual(await backend.files.size(`erasures/${id}`), null)
})

test('an erasure whose job is gone goes on: by the journal at once, and after an hour without it', async () => {
  // Deleted in a backup that was made before its erasure, and that holds no job.
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
  assert.equal(row.erased_at, null, 'its own job may be at work')
  await query(`update conversations set deleted_at = now() - interval '61 minutes' where id = $1`, [
    recent.id,
  ])
  await recoverStalledErasures(db, backend.jobs)
  await untilErased(recent.id)
  assert.deepEqual(await placesOf(CANARY), [])
})

test('what is past the project’s retention, and what a deleted project held, is erased', async () => {
  const own = await newPortal(backend, { retention_days: 30, consent_text: 'We keep it for a month.' })
  const old = await newConversation(own, { consent: true })
  const young = await newConversation(own, { consent: true })
  for (const { send } of [old, young]) await send('POST', '/finish')
  for (const { id, token } of [old, young]) await untilStatus(own, id, token, 'done')
  await query(`update conversations set finished_at = now() - interval '31 days' where id = $1`, [old.id])
  await untilErased(old.id)
  assert.deepEqual(await deedsOn(old.id), [['conversation.expire', 'service', own.organisationId]])
  assert.equal((await young.send('GET', '')).status, 200)
  assert.equal((await own.owner.send('DELETE', `/api/v2/projects/${own.projectId}`)).status, 204)
  assert.equal((await young.send('GET', '')).status, 404)
  await untilErased(young.id)
  await until(
    () => query('select version from consent_texts where project_id = $1', [own.projectId]),
    (texts) => texts.length === 0,
  )
})
