import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fixture } from '../../../media/testing/fixtures.ts'
import { type Reply, startBackend, type TestBackend } from '../../../test/support/backend.ts'
import { newConversation, newPortal, type Portal, untilStatus } from '../../../test/support/conversations.ts'
import { scriptedEngines, wavOf } from '../../../test/support/engines.ts'
import { until } from '../../../test/support/webhooks.ts'
import { recoverStalledAudio } from './recover-stalled.ts'

let backend: TestBackend
let portal: Portal
before(async () => {
  backend = await startBackend({ engines: scriptedEngines() })
  portal = await newPortal(backend)
})
after(() => backend.stop())

const audioOf = (id: string): Promise<Reply> => portal.owner.get(`/api/v2/conversations/${id}/audio`)

/** Asks for the audio until the answer is final: a client that honours Retry-After does the same. */
async function finalAudio(id: string): Promise<Reply> {
  return until(
    () => audioOf(id),
    (reply) => {
      if (reply.status !== 409) return true
      assert.equal(reply.body.code, 'not_ready_yet')
      assert.match(String(reply.headers.get('retry-after')), /^\d+$/)
      return false
    },
  )
}

async function recorded(
  chunks: Uint8Array[],
  ends: 'done' | 'failed',
): Promise<{ id: string; token: string }> {
  const { id, token, send } = await newConversation(portal)
  for (const [seq, chunk] of chunks.entries())
    assert.equal((await send('PUT', `/chunks/${seq}`, chunk)).status, 201)
  await send('POST', '/finish')
  await untilStatus(portal, id, token, ends)
  return { id, token }
}

/** As versions before left them: failed, and never joined. */
async function forgetAudio(id: string): Promise<void> {
  await backend.database.pool.query(
    `update conversations set audio = null, audio_failure = null, finished_at = now() - interval '2 hours' where id = $1`,
    [id],
  )
}

const recover = () => recoverStalledAudio(backend.jobs, backend.database.db)

for (const failure of ['unsupported_language', 'needs_ffmpeg', 'unreadable'])
  test(`the audio of a conversation that failed as ${failure} plays`, async () => {
    const { id } = await recorded([wavOf(`!${failure}`), wavOf(`!${failure}`)], 'failed')
    const { status, headers } = await finalAudio(id)
    assert.deepEqual([status, headers.get('content-type')], [200, 'audio/wav'])
  })

test('transcribing a failed conversation again keeps its audio available', async () => {
  const { id, token } = await recorded([wavOf('!unsupported_language')], 'failed')
  assert.equal((await finalAudio(id)).status, 200)
  assert.equal((await portal.owner.post(`/api/v2/conversations/${id}/retranscribe`)).status, 202)
  await untilStatus(portal, id, token, 'failed')
  assert.equal((await finalAudio(id)).status, 200)
})

test('transcribing again makes the audio of a conversation that failed before it was joined', async () => {
  const { id, token } = await recorded([wavOf('!unsupported_language')], 'failed')
  assert.equal((await finalAudio(id)).status, 200)
  await forgetAudio(id)
  assert.equal((await portal.owner.post(`/api/v2/conversations/${id}/retranscribe`)).status, 202)
  await untilStatus(portal, id, token, 'failed')
  assert.equal((await finalAudio(id)).status, 200)
})

test('summarising again does not lose audio that was still to be joined', async () => {
  const { id, token } = await recorded([wavOf('Benches')], 'done')
  assert.equal((await finalAudio(id)).status, 200)
  await forgetAudio(id)
  assert.equal((await portal.owner.post(`/api/v2/conversations/${id}/summarize`)).status, 202)
  await untilStatus(portal, id, token, 'done')
  assert.equal((await finalAudio(id)).status, 200)
})

test('conversations that were left without audio get it from the recovery task, once', async () => {
  const failed = await recorded([wavOf('!unsupported_language')], 'failed')
  const fine = await recorded([wavOf('Light')], 'done')
  for (const { id } of [failed, fine]) {
    assert.equal((await finalAudio(id)).status, 200)
    await forgetAudio(id)
    assert.equal((await audioOf(id)).status, 409)
  }
  assert.equal(await recover(), 2)
  for (const { id } of [failed, fine]) assert.equal((await finalAudio(id)).status, 200)
  assert.equal(await recover(), 0)
})

test('a conversation that is being recorded answers that its audio is not ready yet', async () => {
  const { id, send } = await newConversation(portal)
  const before = await audioOf(id)
  assert.deepEqual([before.status, before.body.code], [409, 'not_ready_yet'])
  await send('PUT', '/chunks/0', wavOf('Trees'))
  const early = await audioOf(id)
  assert.deepEqual([early.status, early.body.code], [409, 'not_ready_yet'])
  assert.ok(Number(early.headers.get('retry-after')) > 0)
})

test('a written conversation answers 410: there will be no audio, until somebody records some', async () => {
  const { id, token, send } = await newConversation(portal)
  await send('POST', '/text', { content: 'In writing' })
  await send('POST', '/finish')
  await untilStatus(portal, id, token, 'done')
  const gone = await audioOf(id)
  assert.deepEqual([gone.status, gone.body.code], [410, 'gone'])
  assert.equal((await portal.owner.post(`/api/v2/conversations/${id}/summarize`)).status, 202)
  await untilStatus(portal, id, token, 'done')
  assert.equal((await audioOf(id)).status, 410)
  await send('PUT', '/chunks/0', wavOf('Late'))
  await untilStatus(portal, id, token, 'done')
  assert.equal((await finalAudio(id)).status, 200)
})

test('a written conversation of an earlier version answers 410, and the recovery task leaves it alone', async () => {
  const { id, token, send } = await newConversation(portal)
  await send('POST', '/text', { content: 'In writing' })
  await send('POST', '/finish')
  await untilStatus(portal, id, token, 'done')
  await forgetAudio(id)
  assert.equal((await audioOf(id)).status, 410)
  assert.equal(await recover(), 0)
  assert.equal((await audioOf(id)).status, 410)
})

test('a recording of which nothing can be read answers 410, and says what to do', async () => {
  // A head, and no sound.
  const { id } = await recorded([fixture('live.webm').subarray(0, 391)], 'done')
  const { status, body } = await finalAudio(id)
  assert.deepEqual([status, body.code], [410, 'gone'])
  assert.equal(await recover(), 0)
})

test('a joined file that is gone from the disk answers 410', async () => {
  const { id } = await recorded([wavOf('Lost')], 'done')
  assert.equal((await finalAudio(id)).status, 200)
  await backend.files.removeAll(`conversations/${id.slice(-2)}/${id}`)
  const { status, body } = await audioOf(id)
  assert.deepEqual([status, body.code], [410, 'gone'])
})
