import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startBackend, type TestBackend } from '../../../test/support/backend.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import {
  conversationStarted,
  emitNow,
  newWebhook,
  newWebhookTenant,
  PUBLIC,
  until,
  webhooksOf,
} from '../../../test/support/webhooks.ts'

let backend: TestBackend
before(async () => {
  backend = await startBackend({ worker: true })
})
after(() => backend.stop())

const tamper = (id: string, secret: string) =>
  backend.database.pool.query('update webhooks set secret = $2 where id = $1', [id, secret])

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
