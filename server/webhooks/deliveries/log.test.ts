import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { inTransaction } from '../../../database/database.ts'
import { type Reply, startBackend } from '../../../test/support/backend.ts'
import { type Received, startReceiver } from '../../../test/support/receiver.ts'
import {
  deliveriesOf,
  deliveryOf,
  emitNow,
  newEventOf,
  newWebhook,
  newWebhookTenant,
  until,
  webhooksOf,
} from '../../../test/support/webhooks.ts'
import { erasePayloads } from '../events/erase-payloads.ts'

const ODD_WORDS = 'é 🗝 \u2028 "quoted" \\ \u0000 \ud800'
/** Contains markup and terminal escapes, and is longer than the stored excerpt. */
const ODD_RESPONSE = `<script>alert(1)</script>\u0000\u001b[31mred\u202e\n${'é'.repeat(4_000)}`

const FAILURE_HEADERS = {
  'content-type': 'text/html',
  'x-request-id': 'r-1',
  'set-cookie': 'a=b',
  'x-own': 'c',
}

const backend = await startBackend({ worker: true })
const receiver = await startReceiver()
receiver.respond = (response, { path, headers }) => {
  if (path === '/fails' || (path === '/fails-first' && headers['x-service-attempt'] === '1'))
    response.writeHead(500, FAILURE_HEADERS)
  else response.writeHead(200)
  response.end(ODD_RESPONSE)
}
const tenant = await newWebhookTenant(backend)
after(async () => {
  await receiver.close()
  await backend.stop()
})

const query = (text: string, values: unknown[]) => backend.database.pool.query(text, values)
const arrivedWith = (deliveryId: string): Received[] =>
  receiver.received.filter(({ headers }) => headers['x-service-delivery'] === deliveryId)

/** A webhook and the first delivery to it, once it was attempted. */
async function delivered(path: string, body: Record<string, unknown> = {}) {
  const webhook = await newWebhook(tenant, {
    url: receiver.url + path,
    events: ['conversation.summarized'],
    ...body,
  })
  await emitNow(backend, newEventOf('conversation.summarized', tenant.project, { transcript: ODD_WORDS }))
  const [first] = await deliveriesOf(tenant, webhook.id)
  const one = `${webhooksOf(tenant)}/${webhook.id}`
  const delivery = await deliveryOf(tenant, webhook.id, first.id)
  return {
    webhook,
    one,
    delivery,
    resend: () => tenant.owner.post(`${one}/deliveries/${delivery.id}/resend`),
  }
}

/** As if the receiver were not in a network that the operator opened. */
const showAsPublic = (deliveryId: string) =>
  query(
    `update attempts set details = replace(details::text, '"opened":true', '"opened":false')::json
     where delivery_id = $1`,
    [deliveryId],
  )
const makeDue = (deliveryId: string) =>
  query('update deliveries set due_at = now() where id = $1', [deliveryId])
const afterAttempt = (webhookId: string, deliveryId: string, count: number) =>
  until(
    () => deliveryOf(tenant, webhookId, deliveryId),
    ({ attempts }) => attempts >= count,
  )

test('returns the exact payload, and every attempt with its hash and secret version', async () => {
  const { webhook, delivery } = await delivered('/fails-first', { secret: 'long enough to be ok' })
  await makeDue(delivery.id)
  const detail = await afterAttempt(webhook.id, delivery.id, 2)
  assert.deepEqual([detail.status, detail.last_status, detail.last_error], ['succeeded', 200, null])
  const got = arrivedWith(delivery.id)
  assert.equal(got.length, 2)
  for (const [index, { body }] of got.entries()) {
    assert.ok(body.equals(Buffer.from(detail.payload)))
    const attempt = detail.attempt_log[index]
    assert.equal(attempt.number, index + 1)
    assert.equal(attempt.body_hash, createHash('sha256').update(body).digest('hex'))
    assert.equal(attempt.secret_version, 1)
  }
  assert.deepEqual(
    detail.attempt_log.map(({ status, error }: Reply['body']) => [status, error]),
    [
      [500, 'status'],
      [200, null],
    ],
  )
  assert.deepEqual(detail.request_headers, detail.attempt_log[1].request_headers)
})

test('shows the headers of each attempt as sent, with signatures, across a rotation and a removed secret', async () => {
  const secrets = ['the first secret of this webhook', 'the second secret of this webhook']
  const { webhook, one, delivery } = await delivered('/fails', { secret: secrets[0] })
  const rotated = await tenant.owner.post(`${one}/rotate-secret`, { secret: secrets[1] })
  assert.equal(rotated.status, 200)
  await makeDue(delivery.id)
  await afterAttempt(webhook.id, delivery.id, 2)
  const other = `${receiver.url.replace('127.0.0.1', 'localhost')}/fails?moved`
  const moved = await tenant.owner.send('PATCH', one, { secret: null, url: other })
  assert.equal(moved.status, 200, moved.text)
  await makeDue(delivery.id)
  await afterAttempt(webhook.id, delivery.id, 3)
  await showAsPublic(delivery.id)
  const detail = await deliveryOf(tenant, webhook.id, delivery.id)
  const got = arrivedWith(delivery.id).map(({ headers }) => ({ ...headers }))
  assert.deepEqual(
    detail.attempt_log.map(({ request_headers }: Reply['body']) => request_headers),
    got,
  )
  assert.deepEqual(
    got.map((headers) => Object.keys(headers).filter((name) => name.includes('signature'))),
    [
      ['x-service-signature', 'webhook-signature'],
      ['x-service-signature', 'x-service-signature-previous', 'webhook-signature'],
      [],
    ],
  )
  assert.equal(new Set(got.map(({ host }) => host)).size, 2)
  for (const secret of secrets) assert.ok(!JSON.stringify(detail).includes(secret))
})

test('shows the headers of a test delivery', async () => {
  const { one, webhook } = await delivered('/ok', { secret: 'long enough to be ok' })
  const { delivery_id } = (await tenant.owner.post(`${one}/test`)).body
  await showAsPublic(delivery_id)
  const detail = await deliveryOf(tenant, webhook.id, delivery_id)
  assert.deepEqual(detail.request_headers, { ...arrivedWith(delivery_id)[0]?.headers })
})

test('shows the known headers of an attempt that an older version recorded', async () => {
  const { webhook, delivery } = await delivered('/ok', { secret: 'long enough to be ok' })
  await query(`update attempts set details = (details::jsonb - 'sent')::json where delivery_id = $1`, [
    delivery.id,
  ])
  const { request_headers } = await deliveryOf(tenant, webhook.id, delivery.id)
  assert.deepEqual(
    Object.keys(request_headers).filter((name) => name.includes('signature') || name === 'host'),
    [],
  )
  assert.equal(request_headers['x-service-delivery'], delivery.id)
})

test('shows only the status and the coarse error for a target in an opened network', async () => {
  const { delivery } = await delivered('/fails')
  const [attempt] = delivery.attempt_log
  assert.deepEqual([attempt.status, attempt.error], [500, 'status'])
  const { timings, address, answer_headers, answer_body } = attempt
  assert.deepEqual([timings, address, answer_headers, answer_body], [null, null, null, null])
  assert.ok(!JSON.stringify(delivery).includes('127.0.0.1'))
})

test('shows the address, timings, safe headers and the escaped beginning of the response for other targets', async () => {
  const { webhook, delivery } = await delivered('/fails')
  await showAsPublic(delivery.id)
  const [attempt] = (await deliveryOf(tenant, webhook.id, delivery.id)).attempt_log
  assert.equal(attempt.address, '127.0.0.1')
  assert.deepEqual(Object.keys(attempt.timings), ['dns_ms', 'connect_ms', 'tls_ms', 'first_byte_ms'])
  for (const name of ['set-cookie', 'x-own']) assert.ok(!(name in attempt.answer_headers))
  assert.equal(attempt.answer_headers['content-type'], 'text/html')
  assert.equal(attempt.answer_headers['x-request-id'], 'r-1')
  const shown: string = attempt.answer_body
  assert.ok(shown.startsWith(String.raw`<script>alert(1)</script>\u0000\u001b[31mred\u202e`))
  assert.ok(Buffer.byteLength(shown) <= 4096 + 3 * 5, 'at most 4 KiB, plus the escapes')
  assert.match(shown, /é$/)
  const { rows } = await query('select details from attempts where delivery_id = $1', [delivery.id])
  assert.equal(rows[0]?.details.answer_body, shown)
})

test('resends the same event with the same body as a new delivery', async () => {
  const { webhook, one, delivery, resend } = await delivered('/ok')
  await tenant.owner.send('PATCH', one, { payload: 'ids' })
  const reply = await resend()
  assert.equal(reply.status, 202)
  assert.deepEqual(Object.keys(reply.body), ['id'])
  assert.notEqual(reply.body.id, delivery.id)
  const again = await deliveryOf(tenant, webhook.id, reply.body.id)
  assert.deepEqual([again.kind, again.event_id, again.attempts], ['resend', delivery.event_id, 1])
  assert.equal(again.payload, delivery.payload)
  const [first, second] = [...arrivedWith(delivery.id), ...arrivedWith(again.id)]
  assert.ok(first && second)
  assert.ok(first.body.equals(second.body))
  assert.equal(first.headers['webhook-id'], second.headers['webhook-id'])
  assert.equal(second.headers['x-service-attempt'], '1')
  assert.deepEqual(
    await deliveryOf(tenant, webhook.id, delivery.id),
    delivery,
    'the first delivery is unchanged',
  )
})

test('resends once for one Idempotency-Key', async () => {
  const { webhook, one, delivery } = await delivered('/ok')
  const key = { 'idempotency-key': randomUUID() }
  const path = `${one}/deliveries/${delivery.id}/resend`
  const replies = [await tenant.owner.post(path, {}, key), await tenant.owner.post(path, {}, key)]
  assert.equal(replies[0]?.body.id, replies[1]?.body.id)
  assert.equal((await deliveriesOf(tenant, webhook.id, 2)).length, 2)
})

test('shows no payload after an erasure, and refuses a resend with 409 payload_erased', async () => {
  const { webhook, one, delivery, resend } = await delivered('/ok')
  await query('update events set full_body = null, ids_body = null where id = $1', [delivery.event_id])
  assert.equal((await deliveryOf(tenant, webhook.id, delivery.id)).payload, null)
  const { status, body } = await resend()
  assert.deepEqual([status, body.code], [409, 'payload_erased'])
  const replay = await tenant.owner.post(`${one}/replay`, { since: delivery.event_at, only: 'all' })
  assert.equal((await tenant.owner.get(`${one}/replay/${replay.body.id}`)).body.total, 0)
  assert.equal((await deliveriesOf(tenant, webhook.id)).length, 1)
})

test('an erasure removes the signatures, which would confirm a guess at the payload', async () => {
  const { webhook, delivery } = await delivered('/ok', { secret: 'long enough to be ok' })
  const { rows } = await query('select subject_id from events where id = $1', [delivery.event_id])
  await inTransaction(backend.database.db, (tx) => erasePayloads(tx, rows[0]?.subject_id))
  const erased = await deliveryOf(tenant, webhook.id, delivery.id)
  assert.ok('x-service-signature' in delivery.request_headers)
  assert.deepEqual(
    Object.keys(erased.request_headers).filter((name) => name.includes('signature')),
    [],
  )
  assert.deepEqual([erased.payload, erased.attempt_log[0].body_hash], [null, null])
})

test('refuses a resend or replay to a disabled webhook with 409 webhook_disabled', async () => {
  const { webhook, one, resend } = await delivered('/ok')
  await tenant.owner.send('PATCH', one, { enabled: false })
  for (const reply of [
    await resend(),
    await tenant.owner.post(`${one}/replay`, { since: '2026-01-01T00:00:00Z' }),
  ])
    assert.deepEqual([reply.status, reply.body.code], [409, 'webhook_disabled'])
  assert.equal((await deliveriesOf(tenant, webhook.id)).length, 1)
})
