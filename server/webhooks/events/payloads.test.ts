import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { startBackend } from '../../../test/support/backend.ts'
import fc, { anyText } from '../../../test/support/properties.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import {
  deliveriesOf,
  emitNow,
  newEventOf,
  newWebhook,
  newWebhookTenant,
} from '../../../test/support/webhooks.ts'
import { EVENT_SCHEMAS, EVENT_TYPES, type EventType } from './payloads.ts'
import { type DomainEvent, type EventEnvelope, serialise } from './serialise.ts'

const KIB = 1024
const projectId = randomUUID()
const envelope: EventEnvelope = {
  id: randomUUID(),
  timestamp: '2026-01-31T10:00:00.000Z',
  organisationId: randomUUID(),
  workspaceId: randomUUID(),
  projectName: 'Quay',
  publicUrl: 'https://parley.example',
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const moment = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString())
/** Around the limits, of characters that take one to six bytes when they are written as JSON. */
const longText = fc
  .tuple(
    fc.constantFrom('a', 'é', '語', '🗝', '"', '\\', '\n', '\u0000', '\u2028', '\ud800'),
    fc.integer({ min: 0, max: 70 * KIB }),
  )
  .map(([unit, length]) => unit.repeat(length))
const words = fc.oneof({ weight: 3, arbitrary: anyText(200) }, { weight: 1, arbitrary: longText })
const common = {
  id: fc.uuid(),
  revision: fc.integer({ min: 1 }),
  status: fc.constantFrom('recording', 'transcribing', 'summarizing', 'done', 'failed'),
  source: fc.constantFrom('portal_audio', 'portal_text', 'upload'),
  language: maybe(anyText(200)),
  participant_name: maybe(anyText(200)),
  tags: fc.array(anyText(200), { maxLength: 20 }),
  started_at: moment,
  finished_at: maybe(moment),
  duration_seconds: maybe(fc.double({ min: 0, max: 1e9, noNaN: true })),
  title: maybe(anyText(200)),
}
const report = fc.record({
  id: fc.uuid(),
  title: maybe(anyText(200)),
  language: maybe(anyText(200)),
  status: fc.constantFrom('scheduled', 'generating', 'ready', 'failed'),
  created_at: moment,
  conversation_count: fc.nat(),
})
const contents: Record<EventType, fc.Arbitrary<unknown>> = {
  'conversation.started': fc.record(common),
  'conversation.transcribed': fc.record({ ...common, transcript: words }),
  'conversation.summarized': fc.record({ ...common, transcript: words, summary: words }),
  'report.generated': report,
}
const toEvent = (type: EventType, content: unknown): DomainEvent =>
  ({ type, projectId, [type === 'report.generated' ? 'report' : 'conversation']: content }) as DomainEvent

function bodiesOf(domainEvent: DomainEvent, given = envelope) {
  const { full, ids } = serialise(domainEvent, given)
  return { full, ids, sent: JSON.parse(full.toString()), sentIds: JSON.parse(ids.toString()) }
}

for (const type of EVENT_TYPES) {
  test(`any ${type} matches its schema, has at most 256 KiB, and as ids no content`, () => {
    fc.assert(
      fc.property(contents[type], anyText(200), (content, projectName) => {
        const { full, ids, sent, sentIds } = bodiesOf(toEvent(type, content), {
          ...envelope,
          projectName,
        })
        for (const body of [full, ids]) assert.ok(body.length <= 256 * KIB, String(body.length))
        for (const body of [sent, sentIds]) {
          const { success, error } = EVENT_SCHEMAS[type].safeParse(body)
          assert.ok(success, String(error))
          assert.deepEqual([body.id, body.type, body.version], [envelope.id, type, 1])
        }
        const [kind] = type.split('.') as [string]
        assert.equal(sent.data[`${kind}_id`], (content as { id: string }).id)
        assert.equal(sent.data.project_name, projectName)
        for (const field of ['conversation', 'report', 'project_name']) assert.ok(!(field in sentIds.data))
        assert.deepEqual(
          { ...sent.data, [kind]: 0, project_name: 0 },
          { ...sentIds.data, [kind]: 0, project_name: 0 },
        )
      }),
      { numRuns: 60 },
    )
  })
}

const transcripts: [what: string, transcript: string, kept: boolean][] = [
  ['zero bytes', '', true],
  ['64 KiB', 'a'.repeat(64 * KIB), true],
  ['64 KiB and one byte', 'a'.repeat(64 * KIB + 1), false],
  ['64 KiB in two-byte characters', 'é'.repeat(32 * KIB), true],
  ['one character more', `${'é'.repeat(32 * KIB)}é`, false],
  ['64 KiB in four-byte characters', '🗝'.repeat(16 * KIB), true],
  ['a character that crosses the limit', `${'a'.repeat(64 * KIB - 1)}🗝`, false],
  ['64 KiB of quotes', '"'.repeat(64 * KIB), true],
  ['64 KiB of what JSON writes in six bytes', '\u0001'.repeat(64 * KIB), false],
  ['a megabyte', 'a'.repeat(1024 * KIB), false],
]
for (const [what, transcript, kept] of transcripts) {
  test(`${kept ? 'sends' : 'replaces with a link'} a transcript of ${what}, and sends the summary`, () => {
    const content = { transcript, summary: 'In short.' }
    const domainEvent = newEventOf('conversation.summarized', projectId, content)
    const { conversation } = bodiesOf(domainEvent).sent.data
    if (kept) assert.equal(conversation.transcript, transcript)
    else assert.ok(!('transcript' in conversation))
    assert.equal(conversation.transcript_truncated, kept ? undefined : true)
    const url = `https://parley.example/api/v2/conversations/${conversation.id}/transcript?format=txt`
    assert.equal(conversation.transcript_url, kept ? undefined : url)
    assert.equal(conversation.summary, 'In short.')
  })
}

const oversized: [what: string, type: EventType, words: Record<string, unknown>][] = [
  ['summary', 'conversation.summarized', { summary: 's'.repeat(300 * KIB) }],
  ['participant’s name', 'conversation.started', { participant_name: 'n'.repeat(300 * KIB) }],
  ['list of tags', 'conversation.started', { tags: Array(3000).fill('t'.repeat(100)) }],
  ['title', 'conversation.summarized', { title: 't'.repeat(300 * KIB) }],
  ['report’s title', 'report.generated', { title: 't'.repeat(300 * KIB) }],
]
for (const [what, type, content] of oversized) {
  test(`a ${what} of 300 KiB does not make the body larger than 256 KiB`, () => {
    const { full, sent } = bodiesOf(newEventOf(type, projectId, content))
    assert.ok(full.length <= 256 * KIB, `${full.length} bytes`)
    EVENT_SCHEMAS[type].parse(sent)
  })
}

const backend = await startBackend({ worker: true })
const receiver = await startReceiver()
const tenant = await newWebhookTenant(backend)
after(async () => {
  await receiver.close()
  await backend.stop()
})

for (const payload of ['full', 'ids']) {
  test(`a delivery with payload ${payload} matches its schema and has the documented headers`, async () => {
    const webhook = await newWebhook(tenant, { url: `${receiver.url}/${payload}`, payload })
    const ids: string[] = []
    for (const type of EVENT_TYPES) ids.push(await emitNow(backend, newEventOf(type, tenant.project)))
    const deliveries = await deliveriesOf(tenant, webhook.id, 4)
    for (const [index, type] of EVENT_TYPES.entries()) {
      const got = receiver.received.find(
        ({ path, headers }) => path === `/${payload}` && headers['webhook-id'] === ids[index],
      )
      assert.ok(got)
      const sent = JSON.parse(got.body.toString())
      EVENT_SCHEMAS[type].parse(sent)
      assert.deepEqual(
        [sent.data.organisation_id, sent.data.workspace_id, sent.data.project_id],
        [tenant.organisation, tenant.workspace, tenant.project],
      )
      const { headers } = got
      const delivery = deliveries.find(({ event_id }) => event_id === ids[index])
      assert.equal(sent.id, ids[index])
      assert.equal(headers['content-type'], 'application/json')
      assert.equal(headers['user-agent'], 'Parley-Webhooks/0.0.0')
      assert.equal(headers['x-service-event'], type)
      assert.equal(headers['x-service-delivery'], delivery?.id)
      assert.equal(headers['x-service-attempt'], '1')
      assert.equal(headers['content-length'], String(got.body.length))
      assert.match(headers['webhook-timestamp'] as string, /^\d{10}$/)
      for (const name of ['cookie', 'authorization', 'transfer-encoding']) assert.ok(!(name in headers), name)
    }
  })
}

test('OpenAPI describes the four events under webhooks, with headers and responses', async () => {
  const { webhooks } = (await tenant.owner.get('/api/openapi.json')).body
  assert.deepEqual(Object.keys(webhooks), [...EVENT_TYPES])
  for (const type of EVENT_TYPES) {
    const { post } = webhooks[type]
    assert.equal(post.requestBody.content['application/json'].schema.properties.type.const, type)
    const names = post.parameters.map(({ name }: { name: string }) => name)
    for (const name of ['Event', 'Delivery', 'Attempt', 'Signature'])
      assert.ok(names.includes(`X-Service-${name}`), name)
    assert.ok(names.includes('webhook-id'))
    assert.ok('2XX' in post.responses)
  }
})
