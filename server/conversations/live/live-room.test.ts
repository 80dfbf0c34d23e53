import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Reply } from '../../../test/support/backend.ts'
import { newConversation, newPortal, untilStatus } from '../../../test/support/conversations.ts'
import { scriptedEngines, wavOf } from '../../../test/support/engines.ts'
import { until } from '../../../test/support/webhooks.ts'
import { backend, query, setUp } from '../testing/setup.ts'

setUp({ engines: scriptedEngines() })

test('shows who is recording or finished a short time ago, in the order of their start, with the latest text', async () => {
  const portal = await newPortal(backend)
  const read = async (): Promise<Reply['body']> =>
    (await portal.owner.get(`/api/v2/projects/${portal.projectId}/live`)).body
  const first = await newConversation(portal, { participant_name: 'Table 1', tags: ['north'] })
  const second = await newConversation(portal, { participant_name: 'Table 2' })
  const lines = Array.from({ length: 10 }, (_, n) => `Line ${n}.`)
  await first.send('PUT', '/chunks/0', wavOf(lines.join('\n'), 5))
  const { at, recordings } = await until(read, ({ recordings: [table] }) => table.segments.length > 0)
  assert.deepEqual(
    recordings.map((table: Reply['body']) => [table.id, table.status, table.participant_name, table.tags]),
    [
      [first.id, 'recording', 'Table 1', ['north']],
      [second.id, 'recording', 'Table 2', []],
    ],
  )
  assert.deepEqual(
    recordings[0].segments.map(({ text }: { text: string }) => text),
    lines.slice(2),
  )
  assert.deepEqual([recordings[0].duration_seconds, recordings[0].missing_seconds], [5, 0])
  const silence = Date.parse(at) - Date.parse(recordings[0].last_active_at)
  assert.ok(silence >= 0 && silence < 60_000, `${silence} ms`)

  const [before] = await query('select active_at from conversations where id = $1', [second.id])
  await second.send('POST', '/heartbeat')
  assert.ok((await read()).recordings[1].last_active_at > before.active_at, 'a heartbeat is a sign of life')

  const isPaused = async (): Promise<boolean[]> =>
    (await read()).recordings.map(({ is_paused }: { is_paused: boolean }) => is_paused)
  await first.send('POST', '/heartbeat', { paused: true })
  assert.deepEqual(await isPaused(), [true, false])
  await first.send('PUT', '/chunks/1', wavOf('The end of the sentence.', 5))
  await first.send('POST', '/heartbeat')
  assert.deepEqual(await isPaused(), [true, false], 'audio from before the pause does not end it')
  await query(`update conversations set paused_at = now() - interval '31 seconds' where id = $1`, [first.id])
  assert.deepEqual(await isPaused(), [false, false], 'audio ends a pause of which the end was not told')
  await second.send('POST', '/heartbeat', { paused: true })
  assert.deepEqual(await isPaused(), [false, true])
  await second.send('POST', '/heartbeat', { paused: false })
  assert.deepEqual(await isPaused(), [false, false])

  await first.send('POST', '/finish')
  await untilStatus(portal, first.id, first.token, 'done')
  assert.deepEqual(
    (await read()).recordings.map(({ status }: { status: string }) => status),
    ['done', 'recording'],
  )
  await query(`update conversations set finished_at = now() - interval '11 minutes' where id = $1`, [
    first.id,
  ])
  await portal.owner.send('DELETE', `/api/v2/conversations/${second.id}`)
  assert.deepEqual((await read()).recordings, [])
})

test('shows the end of what a participant typed, also after spoken words', async () => {
  const portal = await newPortal(backend)
  const read = async (): Promise<Reply['body'][]> =>
    (await portal.owner.get(`/api/v2/projects/${portal.projectId}/live`)).body.recordings
  const writer = await newConversation(portal)
  const speaker = await newConversation(portal)
  const silent = await newConversation(portal)
  await writer.send('POST', '/text', { content: 'We come by bicycle.' })
  await writer.send('POST', '/text', { content: 'The quay is dark.' })
  await speaker.send('PUT', '/chunks/0', wavOf('Spoken first.', 5))
  await speaker.send('POST', '/text', { content: `${'bench '.repeat(15_000)}at the end` })
  const recordings = await until(read, (all) => all[1].segments.length > 0)
  const fields = recordings.map(({ id, source, written_text }) => [id, source, written_text])
  assert.deepEqual(fields[0], [writer.id, 'portal_text', 'We come by bicycle.\nThe quay is dark.'])
  assert.deepEqual(fields[2], [silent.id, 'portal_audio', null])
  const { source, written_text } = recordings[1]
  assert.equal(source, 'portal_audio')
  assert.match(written_text, /^bench (bench )+at the end$/)
  assert.ok(written_text.length > 900 && written_text.length <= 1_000, `${written_text.length} characters`)
})

test('staff who watch a room leave one audit entry in 15 minutes, not one for each reading', async () => {
  const portal = await newPortal(backend)
  const staff = await backend.as(randomUUID(), { admin_access: true })
  const other = await backend.as(randomUUID(), { admin_access: true })
  const room = `/api/v2/projects/${portal.projectId}/live`
  const entries = async (): Promise<unknown[]> =>
    query(
      `select actor_id, action from audit_log where target_id = $1 and action = 'conversation.stream' order by id`,
      [portal.projectId],
    )
  const watched = { actor_id: staff.userId, action: 'conversation.stream' }
  for (let reading = 0; reading < 3; reading += 1) assert.equal((await staff.get(room)).status, 200)
  assert.deepEqual(await entries(), [watched])
  await other.get(room)
  assert.deepEqual(await entries(), [watched, { ...watched, actor_id: other.userId }])
  await portal.owner.get(room)
  assert.equal((await entries()).length, 2, 'members of the workspace leave none')
})
