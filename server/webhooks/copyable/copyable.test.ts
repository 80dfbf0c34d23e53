import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type Reply, startBackend } from '../../../test/support/backend.ts'
import {
  EVERY_EVENT,
  newWebhook,
  newWebhookTenant,
  PUBLIC,
  webhooksOf,
} from '../../../test/support/webhooks.ts'
import { EVENT_SCHEMAS, type EventType, jsonSchemaOf } from '../events/payloads.ts'

const PROJECT = `Nimby's "quay" \`\`\`\`\n# not a heading <b> $(touch pwned) {{EXAMPLE}} $& 🗝`
const SECRET = 'canary-secret-0123456789'

const backend = await startBackend()
const tenant = await newWebhookTenant(backend)
await tenant.owner.send('PATCH', `/api/v2/projects/${tenant.project}`, { name: PROJECT })
after(() => backend.stop())

const copyableOf = (id: string, headers?: Record<string, string>) =>
  tenant.owner.get(`${webhooksOf(tenant)}/${id}/copyable`, headers)
const newCopyable = async (body: Record<string, unknown> = {}): Promise<Reply> =>
  copyableOf((await newWebhook(tenant, { url: PUBLIC, secret: SECRET, ...body })).id)

test('contains the webhook without its secret, the headers, the signature check, each event and three receivers', async () => {
  const webhook = await newWebhook(tenant, { url: PUBLIC, secret: SECRET, name: 'Ours' })
  const { status, body, text } = await copyableOf(webhook.id)
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), ['webhook', 'headers', 'signature', 'events', 'receivers', 'markdown'])
  assert.deepEqual(body.webhook, webhook)
  assert.deepEqual(
    body.events.map(({ type }: { type: string }) => type),
    EVERY_EVENT,
  )
  assert.deepEqual(Object.keys(body.receivers), ['node', 'python', 'curl'])
  for (const header of ['X-Service-Event', 'X-Service-Delivery', 'X-Service-Attempt', 'X-Service-Signature'])
    assert.ok(header in body.headers)
  assert.match(body.signature, /HMAC-SHA256/)
  assert.ok(!text.includes(SECRET))
})

const accepts: [accept: string, type: string][] = [
  ['text/markdown', 'text/markdown; charset=utf-8'],
  ['Text/Markdown, */*;q=0.1', 'text/markdown; charset=utf-8'],
  ['application/json', 'application/json; charset=utf-8'],
  ['*/*', 'application/json; charset=utf-8'],
]
for (const [accept, type] of accepts) {
  test(`responds to Accept: ${accept} with ${type}`, async () => {
    const { id } = await newWebhook(tenant, { url: PUBLIC, secret: SECRET })
    const reply = await copyableOf(id, { accept })
    assert.deepEqual([reply.status, reply.headers.get('content-type')], [200, type])
    const { markdown } = (await copyableOf(id)).body
    assert.equal(type.startsWith('text') ? reply.text : reply.body.markdown, markdown)
    assert.ok(!reply.text.includes(SECRET))
    await tenant.owner.send('DELETE', `${webhooksOf(tenant)}/${id}`)
  })
}

test('contains only the events that the webhook subscribes to, in their order', async () => {
  const { body } = await newCopyable({ events: ['report.generated', 'conversation.started'] })
  assert.deepEqual(
    body.events.map(({ type }: { type: string }) => type),
    ['report.generated', 'conversation.started'],
  )
  assert.ok(!body.markdown.includes('conversation.summarized'))
})

for (const payload of ['full', 'ids']) {
  test(`examples with payload ${payload} match their schema, which OpenAPI publishes too`, async () => {
    const { body } = await newCopyable({ payload })
    const document = (await tenant.owner.get('/api/openapi.json')).body
    for (const { type, example, schema } of body.events) {
      EVENT_SCHEMAS[type as EventType].parse(example)
      assert.deepEqual(schema, jsonSchemaOf(type as EventType))
      const validate = new Ajv2020({ validateFormats: false }).compile(schema)
      const isValid = (value: unknown): boolean => validate(value)
      assert.ok(isValid(example), JSON.stringify(validate.errors))
      assert.ok(!isValid({ ...example, data: { ...example.data, unknown: 1 } }))
      const { $schema: _, ...published } = schema
      assert.deepEqual(document.webhooks[type].post.requestBody.content['application/json'].schema, published)
      const { data } = example
      assert.deepEqual(
        [data.organisation_id, data.workspace_id, data.project_id],
        [tenant.organisation, tenant.workspace, tenant.project],
      )
      assert.equal(data.project_name, payload === 'full' ? PROJECT : undefined)
    }
  })
}

test('contains neither content nor the project’s name with payload ids', async () => {
  const { body, text } = await newCopyable({ payload: 'ids' })
  for (const { example } of body.events)
    for (const field of ['conversation', 'report', 'project_name']) assert.ok(!(field in example.data))
  for (const word of ['Nimby', 'Ada', 'market square']) assert.ok(!text.includes(word), word)
})

/** The text outside and inside of the fenced code blocks, by the rules of CommonMark. */
function partsOf(markdown: string): { outside: string[]; blocks: string[] } {
  const outside: string[] = []
  const blocks: string[] = []
  let fence: string | null = null
  for (const line of markdown.split('\n')) {
    const mark: string | undefined = /^ {0,3}(`{3,})[^`]*$/.exec(line)?.[1]
    if (fence === null && mark !== undefined) {
      fence = mark
      blocks.push('')
    } else if (fence !== null && line.trim().length >= fence.length && /^`+$/.test(line.trim())) fence = null
    else if (fence === null) outside.push(line)
    else blocks.push(`${blocks.pop()}${line}\n`)
  }
  return { outside, blocks }
}

test('escapes markup in names, so that the page keeps its headings and code blocks', async () => {
  const name = '# x\n\n## y <img src=x onerror=alert(1)> `z` [a](javascript:alert(1)) | ```` ![i](http://e/)'
  const { body } = await newCopyable({
    name,
    url: 'https://1.1.1.1/a`b?c=`d`&e=<f>',
    events: ['report.generated'],
  })
  const { outside, blocks } = partsOf(body.markdown)
  assert.equal(
    outside.filter((line) => line.startsWith('##')).join(' '),
    '## Headers ## Signature ## Events ### `report.generated` ## Receivers ### Node ### Python ### Try it with curl',
  )
  const [heading = '', , sentence = ''] = outside
  assert.match(heading, /^# Webhook “[^<>`[\]()|!]*”$/)
  assert.equal(sentence.split('`').length, 5, 'one code span for the URL and one for id')
  assert.ok(!outside.join('\n').includes('<img'))
  assert.deepEqual(JSON.parse(blocks[0] ?? ''), body.events[0].example)
  assert.deepEqual(JSON.parse(blocks[1] ?? ''), body.events[0].schema)
  const { node, python, curl } = body.receivers
  assert.deepEqual(blocks.slice(2), [node, python, curl])
})

test('says that deliveries are not signed if the webhook has no secret', async () => {
  const { body } = await copyableOf((await newWebhook(tenant, { url: PUBLIC })).id)
  assert.match(body.markdown, /has no secret/)
  assert.doesNotMatch((await newCopyable()).body.markdown, /has no secret/)
})
