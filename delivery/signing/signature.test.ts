import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { verify } from '@octokit/webhooks-methods'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { createKeyring, newEncryptionKey } from '../../platform/encryption.ts'
import { startBackend } from '../../test/support/backend.ts'
import { type Received, startReceiver } from '../../test/support/receiver.ts'
import {
  deliveriesOf,
  deliveryOf,
  emitNow,
  newEventOf,
  newWebhook,
  newWebhookTenant,
  webhooksOf,
} from '../../test/support/webhooks.ts'
import { toRecord } from '../dispatch/outgoing-request.ts'
import { sealSecret } from './secret.ts'
import { openKeys, sign } from './signature.ts'

const SECRETS = [
  `whsec_${randomBytes(32).toString('base64')}`,
  'whsec_AAAA',
  'correct horse battery staple',
  'пароль 🗝️ \u2028 ñ',
  'x',
  ' ',
  'WHSEC_AAAA',
  `"'\`$(id)\\\n`,
  'k'.repeat(256),
]
const ODD_WORDS = 'é 👩‍👩‍👧 \u2028\u2029 "quoted" \\ / </script> \u0000\u0001\u001b[31m \ud800 ﷽ \r\n\t'

const backend = await startBackend({ worker: true })
const receiver = await startReceiver()
const tenant = await newWebhookTenant(backend)
after(async () => {
  await receiver.close()
  await backend.stop()
})

interface Case {
  secret: string
  body: string
  id: string
  timestamp: string
}

const PYTHON = `
import base64, hashlib, hmac, json, sys
for line in sys.stdin:
    case = json.loads(line)
    secret, body = case["secret"], base64.b64decode(case["body"])
    key = base64.b64decode(secret[6:]) if secret.startswith("whsec_") else secret.encode()
    signed = (case["id"] + "." + case["timestamp"] + ".").encode() + body
    print(hmac.new(secret.encode(), body, hashlib.sha256).hexdigest(),
        "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode())
`
/** Both signatures of each case, as Python computes them. */
function byPython(cases: Case[]): string[][] {
  const input = cases.map((each) => `${JSON.stringify(each)}\n`).join('')
  const output = execFileSync('python3', ['-c', PYTHON], { input, encoding: 'utf8' })
  return Array.from(output.trim().split('\n'), (line) => line.split(' '))
}

type Signed = { headers: Record<string, string>; body: Buffer }

const signedOf = ({ headers, body }: Received): Signed => ({
  headers: headers as Record<string, string>,
  body,
})

/** With three independent implementations. */
async function assertVerifies(signed: Signed[], secrets: string[]): Promise<void> {
  const cases = signed.map(({ headers, body }, index) => ({
    secret: secrets[index] ?? '',
    body: body.toString('base64'),
    id: headers['webhook-id'] ?? '',
    timestamp: headers['webhook-timestamp'] ?? '',
  }))
  assert.deepEqual(
    signed.map(({ headers }) => [headers['x-service-signature'], headers['webhook-signature']]),
    byPython(cases),
  )
  for (const [index, { headers, body }] of signed.entries()) {
    const secret = secrets[index] ?? ''
    assert.ok(await verify(secret, body.toString(), `sha256=${headers['x-service-signature']}`), secret)
    standardOf(secret).verify(body, headers)
    assert.throws(() => standardOf(secret).verify(Buffer.concat([body, Buffer.from(' ')]), headers))
  }
}

const standardOf = (secret: string) =>
  secret.startsWith('whsec_')
    ? new StandardWebhook(secret)
    : new StandardWebhook(Buffer.from(secret), { format: 'raw' })

/** The requests at one path, once there are enough. */
async function arrived(path: string, count = 1): Promise<Received[]> {
  const at = () => receiver.received.filter((each) => each.path === path)
  while (at().length < count) await receiver.got(receiver.received.length + 1)
  return at()
}
const emitOdd = () =>
  emitNow(
    backend,
    newEventOf('conversation.summarized', tenant.project, { transcript: ODD_WORDS, summary: ODD_WORDS }),
  )

test('a delivery verifies with Standard Webhooks, Octokit and Python for any secret', async () => {
  for (const [index, secret] of SECRETS.entries())
    await newWebhook(tenant, { url: `${receiver.url}/secret/${index}`, secret })
  await emitOdd()
  const got = await Promise.all(SECRETS.map((_, index) => arrived(`/secret/${index}`)))
  const signed = got.map(([first]) => signedOf(first as Received))
  await assertVerifies(signed, SECRETS)
  for (const { headers, body } of signed) {
    assert.ok(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000) < 30)
    assert.match(headers['x-service-signature'] ?? '', /^[0-9a-f]{64}$/)
    assert.equal(headers['x-service-signature-previous'], undefined)
    assert.equal(JSON.parse(body.toString()).data.conversation.transcript, ODD_WORDS)
  }
})

const BODIES: [what: string, body: Buffer][] = [
  ['emoji', Buffer.from('{"a":"👩‍👩‍👧🏳️‍🌈"}')],
  ['escapes', Buffer.from(String.raw`{"a":"\ud800\u0000\\\"\/"}`)],
  ['line separators', Buffer.from('{"a":"\u2028\u2029"}')],
  ['256 KiB', Buffer.from(`"${'é'.repeat(128 * 1024 - 1)}"`)],
]
for (const [what, body] of BODIES) {
  test(`a body of ${what} verifies with all of them for any secret`, async () => {
    const keyring = createKeyring(newEncryptionKey())
    const timestamp = Math.floor(Date.now() / 1000)
    const signed = SECRETS.map((secret) => {
      const owner = { id: randomUUID(), project_id: randomUUID() }
      const sealed = { secret: sealSecret(keyring, owner, secret), secret_version: 1, previous_secret: null }
      const keys = openKeys(keyring, { ...owner, ...sealed })
      assert.ok(keys)
      const id = randomUUID()
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        ...toRecord(sign(keys, id, timestamp, body.toString())),
      }
      return { headers, body }
    })
    await assertVerifies(signed, SECRETS)
  })
}

test('both secrets sign during the overlap of a rotation, and only the new one after it', async () => {
  const made = await newWebhook(tenant, { url: `${receiver.url}/rotated`, generate_secret: true })
  const one = `${webhooksOf(tenant)}/${made.id}`
  const rotated = await tenant.owner.post(`${one}/rotate-secret`, { overlap_seconds: 60 })
  const left = Date.parse(rotated.body.previous_valid_until) - Date.now()
  assert.ok(left > 30_000 && left < 61_000)
  await emitOdd()
  const [during] = await arrived('/rotated')
  assert.ok(during)
  const { headers, body } = signedOf(during)
  const hex = (secret: string) => createHmac('sha256', secret).update(body).digest('hex')
  assert.equal(headers['x-service-signature'], hex(rotated.body.secret))
  assert.equal(headers['x-service-signature-previous'], hex(made.secret))
  assert.match(headers['webhook-signature'] ?? '', /^v1,\S+ v1,\S+$/)
  for (const secret of [made.secret, rotated.body.secret]) new StandardWebhook(secret).verify(body, headers)

  await backend.database.pool.query(
    `update webhooks set previous_valid_until = now() - interval '1 ms' where id = $1`,
    [made.id],
  )
  await emitOdd()
  const [, afterwards] = await arrived('/rotated', 2)
  assert.ok(afterwards)
  assert.equal(afterwards.headers['x-service-signature-previous'], undefined)
  await assertVerifies([signedOf(afterwards)], [rotated.body.secret])

  const deliveries = await deliveriesOf(tenant, made.id, 2)
  const detail = await deliveryOf(tenant, made.id, deliveries[0].id)
  assert.equal(detail.attempt_log[0].secret_version, 2)
})

const replacements: [what: string, method: string, path: string, body: unknown, secret: string | null][] = [
  ['a rotation without overlap', 'POST', '/rotate-secret', { secret: 'new', overlap_seconds: 0 }, 'new'],
  ['a PATCH of the secret', 'PATCH', '', { secret: 'third' }, 'third'],
  ['taking the secret away', 'PATCH', '', { secret: null }, null],
]
for (const [what, method, path, body, secret] of replacements) {
  test(`${what} takes effect immediately, even during the overlap of a rotation`, async () => {
    const at = `/replaced/${what.length}`
    const { id } = await newWebhook(tenant, { url: `${receiver.url}${at}`, secret: 'first' })
    const one = `${webhooksOf(tenant)}/${id}`
    await tenant.owner.post(`${one}/rotate-secret`, { secret: 'overlapping' })
    assert.equal((await tenant.owner.send(method, `${one}${path}`, body)).status, 200)
    await emitOdd()
    const [got] = await arrived(at)
    assert.ok(got)
    if (secret !== null) await assertVerifies([signedOf(got)], [secret])
    assert.equal('x-service-signature' in got.headers, secret !== null)
    assert.equal('x-service-signature-previous' in got.headers, false)
  })
}

test('deliveries and tests of a webhook without a secret have no signature headers', async () => {
  const { id } = await newWebhook(tenant, { url: `${receiver.url}/unsigned` })
  await emitOdd()
  await arrived('/unsigned')
  const { body } = await tenant.owner.post(`${webhooksOf(tenant)}/${id}/test`)
  assert.equal(body.signed, false)
  for (const { headers } of await arrived('/unsigned', 2)) {
    assert.deepEqual(
      Object.keys(headers).filter((name) => name.includes('signature')),
      [],
    )
    assert.ok(headers['webhook-id'])
    assert.ok(headers['webhook-timestamp'])
  }
})

test('a rotation gives an unsigned webhook a secret without a previous one', async () => {
  const { id } = await newWebhook(tenant, { url: `${receiver.url}/signed-later` })
  const rotated = await tenant.owner.post(`${webhooksOf(tenant)}/${id}/rotate-secret`)
  assert.deepEqual([rotated.status, rotated.body.previous_valid_until], [200, null])
  await emitOdd()
  const [got] = await arrived('/signed-later')
  assert.ok(got)
  assert.equal('x-service-signature-previous' in got.headers, false)
  await assertVerifies([signedOf(got)], [rotated.body.secret])
})
