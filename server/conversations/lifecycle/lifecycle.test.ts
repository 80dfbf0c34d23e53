import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixture } from '../../../media/testing/fixtures.ts'
import type { Reply } from '../../../test/support/backend.ts'
import { newConversation, type TestConversation, untilStatus } from '../../../test/support/conversations.ts'
import { scriptedEngines, wavOf } from '../../../test/support/engines.ts'
import { until } from '../../../test/support/webhooks.ts'
import { backend, lifecycle, portal, query, recorded, setUp } from '../testing/setup.ts'
import { recoverStalledAudio, recoverStalledSteps } from './recover-stalled.ts'

const engines = scriptedEngines()
const { transcriber } = engines
setUp({ engines })

const audioOf = (id: string): Promise<Reply> => portal.owner.get(`/api/v2/conversations/${id}/audio`)

/** Requests the audio until the response is final, like a client that honours Retry-After. */
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

/** As earlier versions left failed conversations: never joined. */
async function forgetAudio(id: string): Promise<void> {
  await query(
    `update conversations set audio = null, audio_failure = null, finished_at = now() - interval '2 hours' where id = $1`,
    [id],
  )
}

const recoverAudio = () => recoverStalledAudio(backend.jobs, backend.database.db)

for (const failure of ['unsupported_language', 'needs_ffmpeg', 'unreadable'])
  test(`a conversation that failed as ${failure} has audio`, async () => {
    const { id } = await recorded([`!${failure}`, `!${failure}`], { status: 'failed' })
    const { status, headers } = await finalAudio(id)
    assert.deepEqual([status, headers.get('content-type')], [200, 'audio/wav'])
  })

for (const [said, status, verb, isForgotten] of [
  ['!unsupported_language', 'failed', 'retranscribe', false],
  ['!unsupported_language', 'failed', 'retranscribe', true],
  ['Benches', 'done', 'summarize', true],
] as const)
  test(`${verb} of a ${status} conversation ${isForgotten ? 'joins its missing audio' : 'keeps its audio'}`, async () => {
    const { id, token } = await recorded(said, { status })
    assert.equal((await finalAudio(id)).status, 200)
    if (isForgotten) await forgetAudio(id)
    assert.equal((await portal.owner.post(`/api/v2/conversations/${id}/${verb}`)).status, 202)
    await untilStatus(portal, id, token, status)
    assert.equal((await finalAudio(id)).status, 200)
  })

test('the task `unjoined-audio` joins missing audio once', async () => {
  const failed = await recorded('!unsupported_language', { status: 'failed' })
  const fine = await recorded('Light')
  for (const { id } of [failed, fine]) {
    assert.equal((await finalAudio(id)).status, 200)
    await forgetAudio(id)
    assert.equal((await audioOf(id)).status, 409)
  }
  // A conversation whose first join is just ending is left to a later run of the task.
  let joined = 0
  await until(
    async () => (joined += await recoverAudio()),
    () => joined >= 2,
  )
  for (const { id } of [failed, fine]) assert.equal((await finalAudio(id)).status, 200)
  assert.deepEqual([joined, await recoverAudio()], [2, 0])
})

test('the audio of a conversation in progress is not ready yet', async () => {
  const { id, send } = await newConversation(portal)
  const before = await audioOf(id)
  assert.deepEqual([before.status, before.body.code], [409, 'not_ready_yet'])
  await send('PUT', '/chunks/0', wavOf('Trees'))
  const early = await audioOf(id)
  assert.deepEqual([early.status, early.body.code], [409, 'not_ready_yet'])
  assert.ok(Number(early.headers.get('retry-after')) > 0)
})

async function written(): Promise<TestConversation> {
  const conversation = await newConversation(portal)
  await conversation.send('POST', '/text', { content: 'In writing' })
  await conversation.send('POST', '/finish')
  await untilStatus(portal, conversation.id, conversation.token, 'done')
  return conversation
}

test('the audio of a written conversation is 410 until audio is recorded', async () => {
  const { id, token, send } = await written()
  const gone = await audioOf(id)
  assert.deepEqual([gone.status, gone.body.code], [410, 'gone'])
  assert.equal((await portal.owner.post(`/api/v2/conversations/${id}/summarize`)).status, 202)
  await untilStatus(portal, id, token, 'done')
  assert.equal((await audioOf(id)).status, 410)
  await send('PUT', '/chunks/0', wavOf('Late'))
  await untilStatus(portal, id, token, 'done')
  assert.equal((await finalAudio(id)).status, 200)
})

test('the task `unjoined-audio` skips written conversations of earlier versions', async () => {
  const { id } = await written()
  await forgetAudio(id)
  assert.equal((await audioOf(id)).status, 410)
  assert.equal(await recoverAudio(), 0)
  assert.equal((await audioOf(id)).status, 410)
})

test('the audio of an unreadable recording is 410', async () => {
  // A header without sound.
  const { id } = await recorded([fixture('live.webm').subarray(0, 391)])
  const { status, body } = await finalAudio(id)
  assert.deepEqual([status, body.code], [410, 'gone'])
  assert.equal(await recoverAudio(), 0)
})

test('a missing joined file is 410', async () => {
  const { id } = await recorded('Lost')
  assert.equal((await finalAudio(id)).status, 200)
  await backend.files.removeAll(`conversations/${id.slice(-2)}/${id}`)
  const { status, body } = await audioOf(id)
  assert.deepEqual([status, body.code], [410, 'gone'])
})

const recoverSteps = () => recoverStalledSteps(lifecycle(), backend.database.db)

/** As it was when its job was lost, two hours ago. */
async function stopAt(id: string, status: 'transcribing' | 'summarizing'): Promise<void> {
  // A job is completed shortly after the conversation that it finished.
  await until(
    () => backend.jobs.valuesWithJob(['transcribe', 'summarize'], 'conversation_id', [id]),
    (active) => active.size === 0,
  )
  await query(
    `update conversations set status = $2, finished_at = now() - interval '2 hours' where id = $1`,
    [id, status],
  )
  if (status === 'transcribing')
    await query(`update chunks set state = 'stored', waits_for_previous = true where conversation_id = $1`, [
      id,
    ])
}

for (const status of ['transcribing', 'summarizing'] as const)
  test(`the task stalled-conversations resumes ${status}`, async () => {
    const { id, token } = await recorded('Benches')
    await stopAt(id, status)
    assert.equal(await recoverSteps(), 1)
    await untilStatus(portal, id, token, 'done')
    assert.equal(await recoverSteps(), 0)
  })

test('the task `stalled-conversations` skips conversations with a job', async () => {
  const release = transcriber.hold()
  const before = transcriber.requests.length
  const { id, token } = await recorded('Benches', { status: null })
  await until(
    async () => transcriber.requests.length,
    (requests) => requests > before,
  )
  await query(`update conversations set finished_at = now() - interval '2 hours' where id = $1`, [id])
  assert.equal(await recoverSteps(), 0)
  release()
  await untilStatus(portal, id, token, 'done')
})
