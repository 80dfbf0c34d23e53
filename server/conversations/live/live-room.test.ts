import assert from 'node:assert/strict'
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
