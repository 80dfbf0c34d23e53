import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Reply, startBackend, type TestBackend } from '../../test/support/backend.ts'
import { newConversation, newPortal, type Portal, untilStatus } from '../../test/support/conversations.ts'
import { scriptedSummarizer, scriptedTranscriber, wavOf } from '../../test/support/engines.ts'
import { openStream } from '../../test/support/event-stream.ts'
import { until } from '../../test/support/webhooks.ts'

const transcriber = scriptedTranscriber()
let backend: TestBackend
let portal: Portal
let gate: PromiseWithResolvers<void>
before(async () => {
  const scripted = scriptedSummarizer()
  gate = Promise.withResolvers()
  const summarizer: typeof scripted = {
    ...scripted,
    summarize: async (request) => {
      await gate.promise
      return scripted.summarize(request)
    },
  }
  backend = await startBackend({ engines: { transcriber, summarizer } })
  portal = await newPortal(backend)
})
after(() => backend.stop())

async function latestEvent(id: string, type: string): Promise<Reply['body']> {
  const { rows } = await backend.database.pool.query<{ body: Reply['body'] }>(
    `select convert_from(full_body, 'UTF8')::json -> 'data' -> 'conversation' as body
     from events where subject_id = $1 and type = $2 order by id desc limit 1`,
    [id, type],
  )
  return rows[0]?.body
}

/** Every field of the event's conversation is in the API's record, with the same value; `transcript` has a route of its own. */
async function assertSame(id: string, type: string): Promise<Reply['body']> {
  const record = (await portal.owner.get(`/api/v2/conversations/${id}`)).body
  const { transcript: _, ...told } = await latestEvent(id, type)
  assert.deepEqual(told, Object.fromEntries(Object.keys(told).map((field) => [field, record[field]])), type)
  return record
}

test('the conversation of each event equals the record that the API returns in that state', async () => {
  const stream = await openStream(
    `${backend.url}/api/v2/projects/${portal.projectId}/stream`,
    portal.owner.token,
  )
  const { id, token, send } = await newConversation(portal, { participant_name: 'Ada', tags: ['park'] })
  const started = await assertSame(id, 'conversation.started')
  assert.equal(started.duration_seconds, 0)
  await send('PUT', '/chunks/0', wavOf('Benches\nLight', 3))
  await send('POST', '/finish')
  await untilStatus(portal, id, token, 'summarizing')
  const transcribed = await assertSame(id, 'conversation.transcribed')
  assert.deepEqual([transcribed.duration_seconds, transcribed.summary], [3, null])
  gate.resolve()
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
  assert.deepEqual(state, Object.fromEntries(Object.keys(state).map((field) => [field, done[field]])))
  stream.close()

  assert.equal((await portal.owner.post(`/api/v2/conversations/${id}/retranscribe`)).status, 202)
  await untilStatus(portal, id, token, 'done')
  await assertSame(id, 'conversation.summarized')
})

test('OpenAPI describes duration and summary as events carry them', async () => {
  const { body } = await portal.owner.get('/api/openapi.json')
  const fields = body.components.schemas.Conversation.properties
  assert.equal(fields.duration_seconds.type, 'number')
  assert.match(JSON.stringify(fields.summary), /string/)
})
