import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type Reply, startBackend, type TestBackend } from '../../test/support/backend.ts'
import { newConversation, newPortal, type Portal, untilStatus } from '../../test/support/conversations.ts'
import { scriptedEngines, wavOf } from '../../test/support/engines.ts'
import { openStream } from '../../test/support/event-stream.ts'
import { assertRefused, until } from '../../test/support/webhooks.ts'
import { FEED_ONLY_SCHEMAS } from '../webhooks/events/payloads.ts'

let backend: TestBackend
let portal: Portal
before(async () => {
  backend = await startBackend({ engines: scriptedEngines() })
})
after(() => backend.stop())
beforeEach(async () => {
  portal = await newPortal(backend)
  await query(`update workspaces set tier = 'changemaker' where id = $1`, [portal.workspaceId])
})

const query = async (text: string, values: unknown[] = []): Promise<Reply['body'][]> =>
  (await backend.database.pool.query(text, values)).rows
const feed = (rest = '') => `/api/v2/projects/${portal.projectId}/events${rest}`
/** The project's events of a type, once there are so many. */
const eventsOf = (type: string, count = 1): Promise<Reply['body'][]> =>
  until(
    async () => {
      const { status, body, text } = await portal.owner.get(feed(`?types=${type}`))
      assert.equal(status, 200, text)
      return body.data
    },
    ({ length }) => length >= count,
  )

async function spoken(text: string, status: string) {
  const conversation = await newConversation(portal, { participant_name: 'Ada' })
  await conversation.send('PUT', '/chunks/0', wavOf(text))
  await conversation.send('POST', '/finish')
  await untilStatus(portal, conversation.id, conversation.token, status)
  return conversation
}

const untilErased = (id: string) =>
  until(
    async () => (await query('select erased_at from conversations where id = $1', [id]))[0],
    ({ erased_at }) => erased_at !== null,
  )

test('a conversation that failed appears in the feed with its failure, again when it fails again', async () => {
  const { id, token } = await spoken('!unsupported_language', 'failed')
  const [event] = await eventsOf('conversation.failed')
  const { position: _position, ...sent } = event
  FEED_ONLY_SCHEMAS['conversation.failed'].parse(sent)
  assert.deepEqual(
    [event.data.conversation_id, event.data.conversation.status, event.data.conversation.failure],
    [id, 'failed', 'unsupported_language'],
  )
  await portal.owner.post(`/api/v2/conversations/${id}/retranscribe`)
  await untilStatus(portal, id, token, 'failed')
  const events = await eventsOf('conversation.failed', 2)
  assert.deepEqual(
    events.map(({ data }) => data.conversation.revision),
    [1, 2],
  )
})

const erasures: [how: string, erase: (one: Awaited<ReturnType<typeof spoken>>) => Promise<unknown>][] = [
  ['a host deletes', ({ id }) => portal.owner.send('DELETE', `/api/v2/conversations/${id}`)],
  ['a participant withdraws', ({ send }) => send('DELETE', '')],
  [
    'is past its retention',
    async ({ id }) => {
      await query('update projects set retention_days = 1 where id = $1', [portal.projectId])
      await query(`update conversations set finished_at = now() - interval '2 days' where id = $1`, [id])
    },
  ],
]
for (const [how, erase] of erasures) {
  test(`a conversation that ${how} appears in feed and stream as erased, with ids alone, and stays there`, async () => {
    const conversation = await spoken('Secret words', 'done')
    const live = await openStream(
      `${backend.url}${feed('/stream?types=conversation.erased')}`,
      portal.owner.token,
    )
    await erase(conversation)
    await untilErased(conversation.id)
    const [event, ...more] = await eventsOf('conversation.erased')
    assert.equal(more.length, 0)
    const { position, ...sent } = event
    FEED_ONLY_SCHEMAS['conversation.erased'].parse(sent)
    assert.deepEqual(event.data, {
      organisation_id: portal.organisationId,
      workspace_id: portal.workspaceId,
      project_id: portal.projectId,
      conversation_id: conversation.id,
    })
    const [streamed] = await live.got(1)
    assert.deepEqual(
      [streamed?.id, streamed?.event, streamed?.data],
      [position, 'conversation.erased', event],
    )
    live.close()
    const all = (await portal.owner.get(feed())).body.data
    assert.deepEqual(
      all.map(({ type, data }: Reply['body']) => [type, data !== null]),
      [
        ['conversation.started', false],
        ['conversation.transcribed', false],
        ['conversation.summarized', false],
        ['conversation.erased', true],
      ],
    )
  })
}

test('webhooks can’t subscribe to failed and erased conversations, get no delivery of them, and replay none', async () => {
  const webhooks = `/api/projects/${portal.projectId}/webhooks`
  const url = 'http://127.0.0.1:9/'
  for (const type of ['conversation.failed', 'conversation.erased']) {
    assertRefused(await portal.owner.post(webhooks, { url, events: [type] }), 'events')
  }
  const events = [
    'conversation.started',
    'conversation.transcribed',
    'conversation.summarized',
    'report.generated',
  ]
  const { id: webhook } = (await portal.owner.post(webhooks, { url, events })).body
  assertRefused(
    await portal.owner.post(`${webhooks}/${webhook}/test`, { event: 'conversation.failed' }),
    'event',
  )
  const { send, id } = await spoken('!unsupported_language', 'failed')
  await eventsOf('conversation.failed')
  await send('DELETE', '')
  await untilErased(id)
  await eventsOf('conversation.erased')
  const since = new Date(Date.now() - 3_600_000).toISOString()
  assertRefused(
    await portal.owner.post(`${webhooks}/${webhook}/replay`, { since, events: ['conversation.erased'] }),
    'events.0',
  )
  const replay = await portal.owner.post(`${webhooks}/${webhook}/replay`, { since, only: 'all' })
  const progress = await portal.owner.get(`${webhooks}/${webhook}/replay/${replay.body.id}`)
  assert.equal(progress.body.total, 0, 'all that was sent is erased, and the rest is not for webhooks')
  const types = await query(
    'select distinct event_type from deliveries d join webhooks w on w.id = d.webhook_id where w.project_id = $1',
    [portal.projectId],
  )
  assert.deepEqual(types, [{ event_type: 'conversation.started' }])
})

test('the change of a conversation and its event commit together, or neither does', async () => {
  const { id } = await spoken('Words', 'done')
  await query(`create function fail_erased() returns trigger language plpgsql as $$
    begin
      if new.type = 'conversation.erased' then raise exception 'no event today'; end if;
      return new;
    end $$`)
  await query(
    'create trigger fail_erased before insert on events for each row execute function fail_erased()',
  )
  try {
    assert.equal((await portal.owner.send('DELETE', `/api/v2/conversations/${id}`)).status, 500)
  } finally {
    await query('drop trigger fail_erased on events')
    await query('drop function fail_erased')
  }
  assert.equal((await portal.owner.get(`/api/v2/conversations/${id}`)).status, 200)
  assert.equal((await portal.owner.send('DELETE', `/api/v2/conversations/${id}`)).status, 204)
  await eventsOf('conversation.erased')
})
