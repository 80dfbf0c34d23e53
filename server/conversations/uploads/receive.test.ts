import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { beforeEach, test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { newUser } from '../../../test/support/backend.ts'
import { newConversation, newPortal, type Portal } from '../../../test/support/conversations.ts'
import { wavOf } from '../../../test/support/engines.ts'
import { createLimits } from '../../tenancy/index.ts'
import { folderOf } from '../chunks/file-keys.ts'
import type { ChunkParts } from '../chunks/put-chunk.ts'
import { createQuota } from '../chunks/storage-quota.ts'
import { backend, lifecycle, query, setUp } from '../testing/setup.ts'
import { type Host, receiveHostFile, receiveRecording } from './receive-file.ts'
import { sweepUploads } from './sweep-uploads.ts'
import { KEPT_MS } from './upload-store.ts'

let portal: Portal
let parts: ChunkParts
setUp({ enqueues: true }, {}, () => {
  const { files, database } = backend
  parts = { ...lifecycle(), files, db: database.db, quota: createQuota(database.db, createLimits(true)) }
})
beforeEach(async () => {
  portal = await newPortal(backend)
})

const rowsOf = (text: string, id: string) => query(text, [id])
const jobsFor = async (id: string): Promise<number[]> => {
  const jobs = `select priority from jobs.job where name = 'transcribe' and data->>'conversation_id' = $1 order by id`
  return (await rowsOf(jobs, id)).map(({ priority }) => priority)
}

async function hostOf({ owner, projectId }: Portal): Promise<Host> {
  const [target] = await rowsOf('select * from projects where id = $1', projectId)
  return {
    principal: { userId: owner.userId, staff: false, source: 'bearer' } as Host['principal'],
    target,
    requestId: newUser(),
  }
}

/** A complete upload that was not received yet. Returns its id. */
async function uploadOf(owner: string, id: string, bytes: Buffer): Promise<string> {
  const upload = `${portal.projectId}/${owner}/${id}`
  await backend.files.uploads.create(upload, '{}')
  await backend.files.uploads.append(upload, 0, Readable.from([bytes]))
  return upload
}

const exists = async (upload: string): Promise<boolean> => (await backend.files.uploads.size(upload)) !== null

test('creates one conversation, start event, job and audit entry for a host’s file that is received twice', async () => {
  const id = newId()
  const upload = await uploadOf('host-x', id, wavOf('twice'))
  const host = await hostOf(portal)
  for (let n = 0; n < 2; n++) await receiveHostFile(parts, host, { id, upload, about: {} })
  assert.deepEqual(await rowsOf('select status, source, token_digest from conversations where id = $1', id), [
    { status: 'transcribing', source: 'upload', token_digest: null },
  ])
  assert.deepEqual(await rowsOf('select type from events where subject_id = $1', id), [
    { type: 'conversation.started' },
  ])
  assert.equal((await rowsOf('select id from audit_log where target_id = $1', id)).length, 1)
  assert.equal((await jobsFor(id)).length, 1)
})

test('a failure before the commit keeps the upload, which can be received again', async () => {
  const id = newId()
  const upload = await uploadOf('host-x', id, wavOf('again'))
  const host = await hostOf(portal)
  const failing = { ...parts, emit: async () => Promise.reject(new Error('no events today')) }
  await assert.rejects(receiveHostFile(failing, host, { id, upload, about: {} }), /no events today/)
  assert.deepEqual(await rowsOf('select id from conversations where id = $1', id), [])
  assert.ok(await exists(upload))
  await receiveHostFile(parts, host, { id, upload, about: {} })
  assert.equal((await rowsOf('select seq from chunks where conversation_id = $1', id)).length, 1)
})

test('a participant’s file that is received several times is one chunk', async () => {
  const { id } = await newConversation(portal)
  const upload = await uploadOf(id, newId(), wavOf('twice'))
  const file = { upload, recordedAt: null }
  await Promise.all([1, 2, 3].map(() => receiveRecording(parts, id, file)))
  assert.deepEqual(await rowsOf('select seq from chunks where conversation_id = $1', id), [{ seq: 0 }])
  assert.equal((await jobsFor(id)).length, 1)
})

/** A store that waits for `during` while it names a file. */
function whileNaming(during: () => Promise<unknown>): ChunkParts {
  const { uploads } = parts.files
  const adopt: typeof uploads.adopt = async (id) => {
    const file = await uploads.adopt(id)
    return {
      ...file,
      keep: async (key) => {
        await during()
        await file.keep(key)
      },
    }
  }
  return { ...parts, files: { ...parts.files, uploads: { ...uploads, adopt } } }
}

const filesOf = (id: string) => Array.fromAsync(backend.files.list(folderOf(id)))

test('locks nothing while a file is stored', async () => {
  const { id } = await newConversation(portal)
  const slow = whileNaming(async () => {
    await rowsOf('select id from conversations where id = $1 for update nowait', id)
    await rowsOf('select id from projects where id = $1 for update nowait', portal.projectId)
  })
  await receiveRecording(slow, id, { upload: await uploadOf(id, newId(), wavOf('slow')), recordedAt: null })
  const uid = newId()
  const upload = await uploadOf('host-x', uid, wavOf('slow'))
  await receiveHostFile(slow, await hostOf(portal), { id: uid, upload, about: {} })
  for (const conversation of [id, uid]) assert.equal((await filesOf(conversation)).length, 1)
})

test('a file whose number another chunk takes while it is stored gets the next one', async () => {
  const { id, send } = await newConversation(portal)
  let isFirst = true
  const slow = whileNaming(async () => {
    if (isFirst) await send('PUT', '/chunks/0', wavOf('faster'))
    isFirst = false
  })
  await receiveRecording(slow, id, { upload: await uploadOf(id, newId(), wavOf('slow')), recordedAt: null })
  const seqs = (await filesOf(id)).map((name) => name.split('-')[0])
  assert.deepEqual(seqs.sort(), ['0', '1'])
  assert.deepEqual(await rowsOf('select seq from chunks where conversation_id = $1 order by seq', id), [
    { seq: 0 },
    { seq: 1 },
  ])
})

test('leaves no file behind when the conversation or project is deleted while it is stored', async () => {
  const { id, send } = await newConversation(portal)
  const withdrawn = whileNaming(() => send('DELETE', ''))
  const upload = await uploadOf(id, newId(), wavOf('withdrawn'))
  await assert.rejects(receiveRecording(withdrawn, id, { upload, recordedAt: null }), { code: 'not_found' })
  const host = await hostOf(portal)
  const closed = whileNaming(() => portal.owner.send('DELETE', `/api/v2/projects/${portal.projectId}`))
  const uid = newId()
  const whole = await uploadOf('host-x', uid, wavOf('closed'))
  await assert.rejects(receiveHostFile(closed, host, { id: uid, upload: whole, about: {} }), {
    code: 'not_found',
  })
  for (const conversation of [id, uid]) assert.deepEqual(await filesOf(conversation), [])
})

test('transcribes live chunks before files', async () => {
  const { id, send } = await newConversation(portal)
  await receiveRecording(parts, id, { upload: await uploadOf(id, newId(), wavOf('file')), recordedAt: null })
  await send('PUT', '/chunks/1', wavOf('live'))
  const [file = 0, live = 0] = await jobsFor(id)
  assert.ok(live > file, `${live} > ${file}`)
})

test('does not store a file for a deleted conversation or project', async () => {
  const { id, send } = await newConversation(portal)
  const upload = await uploadOf(id, newId(), wavOf('too late'))
  await send('DELETE', '')
  await assert.rejects(receiveRecording(parts, id, { upload, recordedAt: null }), { code: 'not_found' })
  const host = await hostOf(portal)
  await portal.owner.send('DELETE', `/api/v2/projects/${portal.projectId}`)
  const uid = newId()
  const whole = await uploadOf('host-x', uid, wavOf('too late'))
  await assert.rejects(receiveHostFile(parts, host, { id: uid, upload: whole, about: {} }), {
    code: 'not_found',
  })
})

test('the sweep removes uploads older than a day', async () => {
  const { id } = await newConversation(portal)
  const upload = await uploadOf(id, newId(), wavOf('unfinished'))
  const { db } = parts
  await sweepUploads(db, backend.files.uploads)
  await sweepUploads(db, backend.files.uploads, Date.now() + KEPT_MS - 60_000)
  assert.ok(await exists(upload))
  await sweepUploads(db, backend.files.uploads, Date.now() + KEPT_MS + 60_000)
  assert.ok(!(await exists(upload)))
  const projects = await Array.fromAsync(backend.files.uploads.list())
  assert.ok(!projects.includes(portal.projectId))
})

test('the sweep removes uploads of deleted conversations and projects', async () => {
  const withdrawn = await newConversation(portal)
  const kept = await newConversation(portal)
  const gone = await uploadOf(withdrawn.id, newId(), wavOf('mine'))
  const stays = await uploadOf(kept.id, newId(), wavOf('mine'))
  const hosts = await uploadOf('host-x', newId(), wavOf('mine'))
  await withdrawn.send('DELETE', '')
  await sweepUploads(parts.db, backend.files.uploads)
  assert.deepEqual(await Promise.all([gone, stays, hosts].map(exists)), [false, true, true])
  await portal.owner.send('DELETE', `/api/v2/projects/${portal.projectId}`)
  await sweepUploads(parts.db, backend.files.uploads)
  assert.deepEqual(await Promise.all([stays, hosts].map(exists)), [false, false])
})
