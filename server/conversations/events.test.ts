import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Reply } from '../../test/support/backend.ts'
import {
  newConversation,
  newPortal,
  type Portal,
  type TestConversation,
  untilStatus,
} from '../../test/support/conversations.ts'
import { scriptedEngines, wavOf } from '../../test/support/engines.ts'
import { openStream } from '../../test/support/servers/event-stream.ts'
import { assertRefused, until } from '../../test/support/webhooks.ts'
import { FEED_ONLY_SCHEMAS } from '../webhooks/events/payloads.ts'
import { backend, query, recorded, setUp, untilErased } from './testing/setup.ts'

const { transcriber, summarizer } = scriptedEngines()
/** Summaries wait for it. */
let gate = Promise.resolve()
const summarize: typeof summarizer.summarize = async (request) => {
  await gate
  return summarizer.summarize(request)
}
setUp({ engines: { transcriber, summarizer: { ...summarizer, summarize } } })

let portal: Portal
beforeEach(async () => {
  portal = await newPortal(backend)
  await query(`update workspaces set tier = 'changemaker' where id = $1`, [portal.workspaceId])
})

const picked = (record: Reply['body'], like: object) =>
  Object.fromEntries(Object.keys(like).map((field) => [field, record[field]]))

/** The record of the API has every field of the latest event, with the same value; `transcript` has a separate route. */
async function assertSame(id: string, type: string): Promise<Reply['body']> {
  const record = (await portal.owner.get(`/api/v2/conversations/${id}`)).body
  const [event] = await query(
    `select convert_from(full_body, 'UTF8')::json -> 'data' -> 'conversation' as body
     from events where subject_id = $1 and type = $2 order by id desc limit 1`,
    [id, type],
  )
  const { transcript: _, ...sent } = event.body
  assert.deepEqual(sent, picked(record, sent), type)
  return record
}

test('each event has the same conversation as the API at that time', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = promise
  const url = `${backend.url}/api/v2/projects/${portal.projectId}/stream`
  const stream = await openStream(url, portal.owner.token)
  const { id, token, send } = await newConversation(portal, { participant_name: 'Ada', tags: ['park'] })
  const started = await assertSame(id, 'conversation.started')
  assert.equal(started.duration_seconds, 0)
  await send('PUT', '/chunks/0', wavOf('Benches\nLight', 3))
  await send('POST', '/finish')
  await untilStatus(portal, id, token, 'summarizing')
  const transcribed = await assertSame(id, 'conversation.transcribed')
  assert.deepEqual([transcribed.duration_seconds, transcribed.summary], [3, null])
  resolve()
  await untilStatus(portal, id, token, 'done')
  const done = await assertSame(id, 'conversation.summarized')
  assert.equal(done.summary, '- Benches\n- Light')
  assert.deepEqual(
    done.summary_details.points.map(({ text }: { text: string }) => text),
    ['Benches', 'Light'],
  )
  const last = await until(
    async () => stream.events.at(-1),
    (event) => event?.data.status === 'done',
  )
  const { deleted: _, position: __, ...state } = last?.data ?? {}
  assert.deepEqual(state, picked(done, state))
  stream.close()

  assert.equal((await portal.owner.post(`/api/v2/conversations/${id}/retranscribe`)).status, 202)
  await untilStatus(portal, id, token, 'done')
  await assertSame(id, 'conversation.summarized')
})

test('OpenAPI describes duration and summary as in events', async () => {
  const { body } = await portal.owner.get('/api/openapi.json')
  const fields = body.components.schemas.Conversation.properties
  assert.equal(fields.duration_seconds.type, 'number')
  assert.match(JSON.stringify(fields.summary), /string/)
})

const feed = (rest = '') => `/api/v2/projects/${portal.projectId}/events${rest}`
/** Waits for this many events of a type in the project's feed. */
const eventsOf = (type: string, count = 1): Promise<Reply['body'][]> =>
  until(
    async () => {
      const { status, body, text } = await portal.owner.get(feed(`?types=${type}`))
      assert.equal(status, 200, text)
      return body.data
    },
    ({ length }) => length >= count,
  )

const spoken = (said: string, status: 'done' | 'failed') =>
  recorded(said, { of: portal, start: { participant_name: 'Ada' }, status })

test('the feed shows each failure of a conversation', async () => {
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

const erasures: [how: string, erase: (one: TestConversation) => Promise<unknown>][] = [
  ['deleted by a host', ({ id }) => portal.owner.send('DELETE', `/api/v2/conversations/${id}`)],
  ['withdrawn by a participant', ({ send }) => send('DELETE', '')],
  [
    'past its retention period',
    async ({ id }) => {
      await query('update projects set retention_days = 1 where id = $1', [portal.projectId])
      await query(`update conversations set finished_at = now() - interval '2 days' where id = $1`, [id])
    },
  ],
]
for (const [how, erase] of erasures) {
  test(`feed and stream show a conversation ${how} as erased, with ids alone`, async () => {
    const conversation = await spoken('Secret words', 'done')
    const url = `${backend.url}${feed('/stream?types=conversation.erased')}`
    const live = await openStream(url, portal.owner.token)
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

test('webhooks get no event of failed and erased conversations', async () => {
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
  assert.equal(progress.body.total, 0, 'sent events are erased, and the others are not for webhooks')
  const types = await query(
    'select distinct event_type from deliveries d join webhooks w on w.id = d.webhook_id where w.project_id = $1',
    [portal.projectId],
  )
  assert.deepEqual(types, [{ event_type: 'conversation.started' }])
})

test('commits the change of a conversation and its event together', async () => {
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
