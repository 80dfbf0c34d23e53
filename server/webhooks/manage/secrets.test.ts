import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { secrets } from '../../../delivery/index.ts'
import { createKeyring, newEncryptionKey } from '../../../platform/encryption.ts'
import { createLog } from '../../../platform/log.ts'
import { type Caller, newUser, type Reply, startBackend } from '../../../test/support/backend.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import { newTenant } from '../../../test/support/tenants.ts'
import {
  conversationStarted,
  deliveriesOf,
  EVERY_EVENT,
  emitNow,
  newWebhook,
  newWebhookTenant,
  PUBLIC,
  until,
  webhooksOf,
} from '../../../test/support/webhooks.ts'

const canary = (what: string): string => `canary${what}${randomBytes(12).toString('hex')}`
/** Secrets that a caller sends, each in a different request. */
const sent = {
  onCreate: canary('create'),
  onPatch: canary('patch'),
  onRotation: canary('rotation'),
  refused: canary('refused'),
  standard: `whsec_${randomBytes(24).toString('base64')}`,
}
const inQuery = canary('query')

const logged: string[] = []
const replies: Reply[] = []
const generated: { secret: string; shownBy: Reply }[] = []

const log = createLog('debug', { write: (line: string) => void logged.push(line) })
const backend = await startBackend({ worker: true, log })
const receiver = await startReceiver()
const staff = recorded(await backend.as(newUser(), { admin_access: true }))
const plain = await newWebhookTenant(backend)
const tenant = { ...plain, owner: recorded(plain.owner) }
const newKey = () => ({ 'idempotency-key': randomBytes(8).toString('hex') })
const tamper = (id: string, secret: string) =>
  backend.database.pool.query('update webhooks set secret = $2 where id = $1', [id, secret])
await useEverything()
after(async () => {
  await receiver.close()
  await backend.stop()
})

/** Records each response to the caller. */
function recorded(caller: Caller): Caller {
  const send: Caller['send'] = async (...request) => {
    const reply = await caller.send(...request)
    replies.push(reply)
    return reply
  }
  return {
    ...caller,
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
  }
}

async function useEverything(): Promise<void> {
  const all = webhooksOf(tenant)
  const create = (body: Record<string, unknown>) =>
    tenant.owner.post(
      all,
      { url: `${receiver.url}/?token=${inQuery}`, events: EVERY_EVENT, ...body },
      newKey(),
    )
  const mine = (await create({ secret: sent.onCreate })).body
  await create({ secret: sent.standard })
  const theirs = await create({ generate_secret: true })
  generated.push({ secret: theirs.body.secret, shownBy: theirs })
  await create({ secret: `${sent.refused}\0` })
  await create({ secret: sent.refused, generate_secret: true })
  await create({ secret: sent.refused, url: `ftp://${inQuery}/` })
  await tenant.owner.post(all, `{"url":"https://x/","secret":"${sent.refused}"`, {
    'content-type': 'application/json',
  })
  await create({ secret: sent.onCreate, url: `http://127.0.0.1:1/?token=${inQuery}` })
  await emitNow(backend, conversationStarted(tenant.project))
  await receiver.got(3)
  await tenant.owner.send('PATCH', `${all}/${mine.id}`, { secret: sent.onPatch })
  await tenant.owner.post(`${all}/${mine.id}/rotate-secret`, { secret: sent.onRotation }, newKey())
  const rotated = await tenant.owner.post(`${all}/${theirs.body.id}/rotate-secret`, {}, newKey())
  generated.push({ secret: rotated.body.secret, shownBy: rotated })
  for (const { id } of (await tenant.owner.get(all)).body) await useOne(`${all}/${id}`, id)
  await tenant.owner.get(`/api/v2/projects/${tenant.project}/events`)
  await tenant.owner.get(`/api/v2/organisations/${tenant.organisation}/audit`)
  await staff.get('/api/v2/admin/webhooks')
  await staff.post(`/api/v2/admin/webhooks/${mine.id}/disable`, { reason: 'to look at it' })
}

async function useOne(one: string, id: string): Promise<void> {
  await tenant.owner.get(one)
  await tenant.owner.get(`${one}/copyable`)
  await tenant.owner.get(`${one}/copyable`, { accept: 'text/markdown' })
  await tenant.owner.post(`${one}/test`, {}, newKey())
  const [delivery] = await deliveriesOf(tenant, id)
  await tenant.owner.get(`${one}/deliveries/${delivery.id}`)
  await tenant.owner.post(`${one}/deliveries/${delivery.id}/resend`)
  const replay = await tenant.owner.post(`${one}/replay`, { since: '2026-01-01T00:00:00Z', only: 'all' })
  await tenant.owner.get(`${one}/replay/${replay.body.id}`)
  await deliveriesOf(tenant, id, 3)
  await tamper(id, `k1.${randomBytes(60).toString('base64url')}`)
  await tenant.owner.post(`${one}/test`)
  await emitNow(backend, conversationStarted(tenant.project))
}

/** Each row of each table as text; bytes come as hex. */
async function dump(): Promise<string> {
  const { pool } = backend.database
  const { rows: tables } = await pool.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const parts: string[] = []
  for (const { name } of tables) {
    const { rows } = await pool.query(`select t::text as row from ${name} t`)
    parts.push(name, ...rows.map(({ row }) => row))
  }
  return parts.join('\n')
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const body = secret.replace('whsec_', '')
  const base64 = [0, 1, 2].map((shift) =>
    bytes.subarray(shift).toString('base64').replaceAll('=', '').slice(0, -2),
  )
  return [secret, body, bytes.toString('hex'), Buffer.from(body, 'base64').toString('hex'), ...base64]
}
const everySecret = () => [...Object.values(sent), ...generated.map(({ secret }) => secret)]

test('no response contains a secret, except the one that returns a generated secret', () => {
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200, 201, 202, 409, 422]))
  for (const reply of replies) {
    const seen = reply.text + JSON.stringify([...reply.headers])
    for (const secret of Object.values(sent)) assert.ok(!seen.includes(secret), reply.text)
    for (const { secret, shownBy } of generated)
      assert.equal(seen.split(secret).length - 1, reply === shownBy ? 1 : 0, reply.text)
  }
})

test('neither the log nor the metrics contain a secret or the query of a URL', async () => {
  const text = logged.join('') + (await backend.metrics.registry.metrics())
  assert.match(text, /Cannot decrypt the webhook secret/)
  assert.match(text, /parley_/)
  for (const secret of everySecret()) for (const form of formsOf(secret)) assert.ok(!text.includes(form))
  assert.ok(!text.includes(inQuery))
})

test('the database contains no secret, neither as text nor as hex or base64', async () => {
  const rows = await dump()
  assert.match(rows, /parley\.webhooks/)
  assert.ok(rows.includes(inQuery), 'the search finds stored text')
  for (const secret of everySecret()) for (const form of formsOf(secret)) assert.ok(!rows.includes(form))
})

test('deliveries stay signed after the workspace is transferred to another organisation', async () => {
  const own = await newWebhookTenant(backend)
  const target = await newTenant(backend)
  const secret = 'the same before and after'
  await newWebhook(own, { url: `${receiver.url}/transferred`, secret })
  const moved = await staff.post(`/api/v2/admin/workspaces/${own.workspace}/transfer`, {
    organisation_id: target.organisation,
    reason: 'sold',
  })
  assert.deepEqual([moved.status, moved.body.organisation_id], [200, target.organisation])
  await emitNow(backend, conversationStarted(own.project))
  const got = await until(
    async () => receiver.received.find(({ path }) => path === '/transferred'),
    (found) => found !== undefined,
  )
  assert.ok(got)
  assert.equal(
    got.headers['x-service-signature'],
    createHmac('sha256', secret).update(got.body).digest('hex'),
  )
  assert.equal(JSON.parse(got.body.toString()).data.organisation_id, target.organisation)
})

test('an encrypted secret can be read only for its webhook, its project and by its key', () => {
  const owner = { id: 'w', project_id: 'p' }
  const [old, key] = [newEncryptionKey(), newEncryptionKey().replace('k1:', 'k2:')]
  const sealed = secrets.sealSecret(createKeyring(old), owner, 'secret')
  const both = createKeyring(`${key},${old}`)
  assert.equal(secrets.openSecret(both, owner, sealed), 'secret')
  for (const other of [{ id: 'x' }, { project_id: 'x' }])
    assert.throws(() => secrets.openSecret(both, { ...owner, ...other }, sealed))
  assert.throws(() => secrets.openSecret(both, owner, sealed.replace('k1.', 'k2.')))
})

const tamperings: [what: string, change: (mine: string, other: string) => Promise<unknown>][] = [
  [
    'the secret of another webhook',
    (mine, other) =>
      backend.database.pool.query(
        'update webhooks set secret = (select secret from webhooks where id = $2) where id = $1',
        [mine, other],
      ),
  ],
  [
    'a secret that is encrypted with an unknown key',
    (mine) => tamper(mine, `k9.${randomBytes(60).toString('base64url')}`),
  ],
  ['an empty secret', (mine) => tamper(mine, '')],
]
for (const [what, change] of tamperings) {
  test(`a row with ${what} disables the webhook as secret_unreadable, and nothing is sent unsigned`, async (t) => {
    const own = await newWebhookTenant(backend)
    const silent = await startReceiver()
    t.after(() => silent.close())
    const mine = await newWebhook(own, { url: silent.url, secret: 'mine, and long enough' })
    const other = await newWebhook(own, {
      url: PUBLIC,
      secret: 'another, long enough',
      events: ['report.generated'],
    })
    await change(mine.id, other.id)
    const refused = await own.owner.post(`${webhooksOf(own)}/${mine.id}/test`)
    assert.deepEqual([refused.status, refused.body.code], [409, 'secret_unreadable'])
    await emitNow(backend, conversationStarted(own.project))
    const one = `${webhooksOf(own)}/${mine.id}`
    const { health } = await until(
      async () => (await own.owner.get(one)).body,
      ({ enabled }) => !enabled,
    )
    assert.deepEqual([health.disabled_reason, health.missed], ['secret_unreadable', 1])
    assert.deepEqual(silent.received, [])

    assert.equal(
      (await own.owner.send('PATCH', one, { secret: 'a new one, long enough', enabled: true })).status,
      200,
    )
    await emitNow(backend, conversationStarted(own.project))
    const [first] = await silent.got(1)
    assert.ok(first?.headers['x-service-signature'])
  })
}

test('a webhook whose secret cannot be decrypted works again after a rotation', async (t) => {
  const own = await newWebhookTenant(backend)
  const receiver = await startReceiver()
  t.after(() => receiver.close())
  const { id } = await newWebhook(own, { url: receiver.url, secret: 'lost, though long enough' })
  await tamper(id, 'k9.lost')
  const one = `${webhooksOf(own)}/${id}`
  assert.equal(
    (await own.owner.post(`${one}/rotate-secret`, { secret: 'found again, long enough' })).status,
    200,
  )
  const tested = await own.owner.post(`${one}/test`)
  assert.deepEqual([tested.status, tested.body.success, tested.body.signed], [200, true, true], tested.text)
})
