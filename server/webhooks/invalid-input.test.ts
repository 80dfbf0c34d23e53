import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { startBackend } from '../../test/support/backend.ts'
import {
  assertRefused,
  assertRefusedEverywhere,
  conversationStarted,
  EVERY_EVENT,
  emitNow,
  newWebhook,
  newWebhookTenant,
  PUBLIC,
  webhooksOf,
} from '../../test/support/webhooks.ts'

const backend = await startBackend({ egress: { allowNetworks: [] } })
const tenant = await newWebhookTenant(backend)
const other = await newWebhookTenant(backend)
const httpsOnly = await startBackend({ allowHttpWebhooks: false, egress: { allowHttp: false } })
after(async () => {
  await backend.stop()
  await httpsOnly.stop()
})

const badFields: [what: string, sent: Record<string, unknown>, field: string][] = [
  ['an unknown event', { events: ['conversation.ended'] }, 'events'],
  ['the event type of test deliveries', { events: ['webhook.test'] }, 'events'],
  ['a duplicate event', { events: ['report.generated', 'report.generated'] }, 'events'],
  ['no event', { events: [] }, 'events'],
  ['five events', { events: [...EVERY_EVENT, 'report.generated'] }, 'events'],
  ['events that are not a list', { events: 'report.generated' }, 'events'],
  ['events null', { events: null }, 'events'],
  ['an event that is null', { events: [null] }, 'events'],
  ['an empty secret', { secret: '' }, 'secret'],
  ['a secret with NUL', { secret: 'before\0after' }, 'secret'],
  ['a secret of 257 characters', { secret: 's'.repeat(257) }, 'secret'],
  ['a secret with an unpaired surrogate', { secret: 'lonely \ud83d one of length' }, 'secret'],
  ['a secret that is a number', { secret: 12345678 }, 'secret'],
  ['whsec_ with bad base64', { secret: 'whsec_not*base64' }, 'secret'],
  ['whsec_ with base64url', { secret: 'whsec_-_-_-_-_' }, 'secret'],
  ['whsec_ with nothing', { secret: 'whsec_' }, 'secret'],
  ['whsec_ with white space', { secret: 'whsec_AAAA AAAA' }, 'secret'],
  ['a name of 101 characters', { name: 'n'.repeat(101) }, 'name'],
  ['an empty name', { name: '' }, 'name'],
  ['a blank name', { name: ' \t ' }, 'name'],
  ['a name with NUL', { name: 'a\0b' }, 'name'],
  ['a name that is not a string', { name: ['n'] }, 'name'],
  ['an unknown payload', { payload: 'thin' }, 'payload'],
  ['payload null', { payload: null }, 'payload'],
  ['enabled that is not a boolean', { enabled: 'false' }, 'enabled'],
  ['enabled null', { enabled: null }, 'enabled'],
  ['an unknown field', { active: true }, 'active'],
  ['a field that only the service sets', { has_secret: false }, 'has_secret'],
  ['another project', { project_id: randomUUID() }, 'project_id'],
]
for (const [what, sent, field] of badFields)
  test(`refuses ${what} with 422 on ${field}`, () => assertRefusedEverywhere(tenant, sent, field))

const badOnCreate: [what: string, sent: Record<string, unknown>, field: string][] = [
  [
    'a secret together with generate_secret',
    { secret: 's'.repeat(20), generate_secret: true },
    'generate_secret',
  ],
  ['generate_secret false', { generate_secret: false }, 'generate_secret'],
  ['no url', { url: undefined }, 'url'],
  ['no events', { events: undefined }, 'events'],
  ['secret null', { secret: null }, 'secret'],
]
for (const [what, sent, field] of badOnCreate) {
  test(`refuses ${what} with 422 on ${field} on create`, async () => {
    const before = (await tenant.owner.get(webhooksOf(tenant))).body
    assertRefused(
      await tenant.owner.post(webhooksOf(tenant), { url: PUBLIC, events: EVERY_EVENT, ...sent }),
      field,
    )
    assert.deepEqual((await tenant.owner.get(webhooksOf(tenant))).body, before)
  })
}

const AT = '2026-01-31T10:00:00Z'
const badRequests: [method: string, path: string, body: unknown, field: string][] = [
  ['PATCH', '', { generate_secret: true }, 'generate_secret'],
  ['POST', '/rotate-secret', { overlap_seconds: -1 }, 'overlap_seconds'],
  ['POST', '/rotate-secret', { overlap_seconds: 604_801 }, 'overlap_seconds'],
  ['POST', '/rotate-secret', { overlap_seconds: 1.5 }, 'overlap_seconds'],
  ['POST', '/rotate-secret', { overlap_seconds: '60' }, 'overlap_seconds'],
  ['POST', '/rotate-secret', { overlap_seconds: null }, 'overlap_seconds'],
  ['POST', '/rotate-secret', { secret: '' }, 'secret'],
  ['POST', '/rotate-secret', { secret: null }, 'secret'],
  ['POST', '/rotate-secret', { secret: 'whsec_%' }, 'secret'],
  ['POST', '/rotate-secret', { generate: true }, 'generate'],
  ['POST', '/test', { event: 'webhook.test' }, 'event'],
  ['POST', '/test', { event: ['report.generated'] }, 'event'],
  ['POST', '/test', { url: 'https://example.com/' }, 'url'],
  ['POST', '/replay', {}, 'since'],
  ['POST', '/replay', { since: 'yesterday' }, 'since'],
  ['POST', '/replay', { since: 0 }, 'since'],
  ['POST', '/replay', { since: '2026-01-31' }, 'since'],
  ['POST', '/replay', { since: '2026-02-30T10:00:00Z' }, 'since'],
  ['POST', '/replay', { since: '2026-01-31T10:00:00' }, 'since'],
  ['POST', '/replay', { since: AT, until: 'later' }, 'until'],
  ['POST', '/replay', { since: AT, until: AT }, 'until'],
  ['POST', '/replay', { since: AT, until: '2026-01-31T10:30:00+02:00' }, 'until'],
  ['POST', '/replay', { since: AT, events: [] }, 'events'],
  ['POST', '/replay', { since: AT, events: ['webhook.test'] }, 'events'],
  ['POST', '/replay', { since: AT, events: ['report.generated'] }, 'events'],
  ['POST', '/replay', { since: AT, only: 'succeeded' }, 'only'],
  ['POST', '/replay', { since: AT, from: AT }, 'from'],
  ...['status=done', 'status=', 'status=failed&status=missed'].map(deliveries('status')),
  ...['event=x', 'event='].map(deliveries('event')),
  ...['since=now', 'since=2026-01-31', 'since=1'].map(deliveries('since')),
  ...['until=now', 'until=2026-13-01T00:00:00Z'].map(deliveries('until')),
  ...['limit=0', 'limit=201', 'limit=-1', 'limit=1.5', 'limit=x', 'limit='].map(deliveries('limit')),
  ...['cursor=x', 'cursor=', `cursor=${randomUUID()}`, 'cursor=%00'].map(deliveries('cursor')),
  ...['order=asc'].map(deliveries('order')),
]
const ODD_POSITIONS = ['99999999999999999999', '18446744073709551616', '089', '0', '010'].map(
  (xid) => `${xid}:${randomUUID()}`,
)
test('a feed position that never existed is accepted or refused with 422, without an internal error', async (t) => {
  const feed = `/api/v2/projects/${tenant.project}/events`
  for (const position of ODD_POSITIONS) {
    await t.test(position, async () => {
      const cursor = Buffer.from(position).toString('base64url')
      const { status } = await tenant.owner.get(`${feed}?cursor=${cursor}`)
      assert.ok(status === 200 || status === 422, String(status))
    })
  }
})

function deliveries(field: string) {
  return (query: string): (typeof badRequests)[number] => ['GET', `/deliveries?${query}`, undefined, field]
}
test('the routes of one webhook refuse invalid input with 422, name the field and change nothing', async (t) => {
  const own = await newWebhookTenant(backend)
  const { id } = await newWebhook(own, {
    url: PUBLIC,
    events: ['conversation.started'],
    secret: 'kept as it was',
  })
  const one = `${webhooksOf(own)}/${id}`
  const before = (await own.owner.get(one)).body
  for (const [method, path, body, field] of badRequests) {
    await t.test(`${method} ${path || '(the webhook)'} ${JSON.stringify(body) ?? ''}`, async () =>
      assertRefused(await own.owner.send(method, `${one}${path}`, body), field),
    )
  }
  assert.deepEqual((await own.owner.get(one)).body, before)
  const { rows } = await backend.database.pool.query(
    `select (select count(*) from replays where webhook_id = $1) + (select count(*) from deliveries where webhook_id = $1) as n`,
    [id],
  )
  assert.equal(Number(rows[0]?.n), 0)
})

const badFeeds: [path: string, headers: Record<string, string>, field: string][] = [
  ['?types=x', {}, 'types'],
  ['?types=', {}, 'types'],
  ['?types=conversation.started,', {}, 'types'],
  ['?types=webhook.test', {}, 'types'],
  ['?cursor=x', {}, 'cursor'],
  [`?cursor=${Buffer.from(`1:${randomUUID()}x`).toString('base64url')}`, {}, 'cursor'],
  ['?since=yesterday', {}, 'since'],
  ['/stream?types=x', {}, 'types'],
  ['/stream', { 'last-event-id': 'garbage' }, 'Last-Event-ID'],
  ['/stream', { 'last-event-id': randomUUID() }, 'Last-Event-ID'],
  ['/stream', { 'last-event-id': '-1:x' }, 'Last-Event-ID'],
]
for (const [path, headers, field] of badFeeds) {
  test(`refuses GET …/events${path} ${JSON.stringify(headers)} with 422 on ${field}`, async () =>
    assertRefused(await tenant.owner.get(`/api/v2/projects/${tenant.project}/events${path}`, headers), field))
}

test('every route of a webhook returns 404 for a foreign, deleted, unknown or malformed id', async () => {
  const foreign = await newWebhook(other, { url: PUBLIC })
  const deleted = await newWebhook(tenant, { url: PUBLIC })
  await emitNow(backend, conversationStarted(other.project))
  await emitNow(backend, conversationStarted(tenant.project))
  const { rows } = await backend.database.pool.query('select id, webhook_id from deliveries')
  const deliveryOf = (id: string) => rows.find((row) => row.webhook_id === id)?.id ?? randomUUID()
  await tenant.owner.send('DELETE', `${webhooksOf(tenant)}/${deleted.id}`)
  for (const id of [foreign.id, deleted.id, randomUUID(), 'x', '%00', `${foreign.id}%20`]) {
    const one = `${webhooksOf(tenant)}/${id}`
    const delivery = `${one}/deliveries/${deliveryOf(id)}`
    const requests: [method: string, path: string, body?: unknown][] = [
      ['GET', one],
      ['PATCH', one, { name: 'mine now' }],
      ['PATCH', one, { name: 7 }],
      ['DELETE', one],
      ['POST', `${one}/test`],
      ['GET', `${one}/copyable`],
      ['POST', `${one}/rotate-secret`, {}],
      ['GET', `${one}/deliveries`],
      ['GET', delivery],
      ['POST', `${delivery}/resend`],
      ['POST', `${one}/replay`, { since: AT }],
      ['GET', `${one}/replay/${randomUUID()}`],
    ]
    for (const [method, path, body] of requests) {
      const { status, body: problem } = await tenant.owner.send(method, path, body)
      assert.deepEqual([status, problem.code], [404, 'not_found'], `${method} ${path}`)
    }
  }
  assert.deepEqual((await other.owner.get(`${webhooksOf(other)}/${foreign.id}`)).body.name, null)
})

test('returns 404 for a delivery or replay of another webhook, even in the same project', async () => {
  const own = await newWebhookTenant(backend)
  const [mine, its] = [await newWebhook(own, { url: PUBLIC }), await newWebhook(own, { url: PUBLIC })]
  const all = webhooksOf(own)
  await emitNow(backend, conversationStarted(own.project))
  const delivery = (await own.owner.get(`${all}/${its.id}/deliveries`)).body.data[0].id
  const replay = (await own.owner.post(`${all}/${its.id}/replay`, { since: AT })).body.id
  for (const [method, path] of [
    ['GET', `deliveries/${delivery}`],
    ['POST', `deliveries/${delivery}/resend`],
    ['GET', `replay/${replay}`],
    ['GET', 'deliveries/x'],
    ['GET', 'replay/x'],
  ] as const) {
    assert.equal((await own.owner.send(method, `${all}/${mine.id}/${path}`)).status, 404, path)
  }
  assert.equal((await own.owner.get(`${all}/${its.id}/replay/${replay}`)).status, 200)
})

/** One URL per rule: delivery/http tests the rules with many more. */
const invalidUrls: [what: string, url: unknown][] = [
  ['userinfo', 'https://user:pass@example.com/'],
  ['a fragment', 'https://example.com/#part'],
  ['ftp:', 'ftp://example.com/'],
  ['port 0', 'https://example.com:0/'],
  ['a newline', 'https://example.com/\r\nX-Injected: 1'],
  ['a backslash', 'https://example.com\\@evil.example/'],
  ['3,000 characters', `https://example.com/${'a'.repeat(2_980)}`],
  ['2,049 characters once escaped', `https://example.com/${'ü'.repeat(400)}`],
  ['nothing', ''],
  ['no scheme', 'example.com/hook'],
  ['a number', 7],
  ['a list', ['https://example.com/']],
  ['an object', { href: 'https://example.com/' }],
  ['null', null],
]
for (const [what, url] of invalidUrls)
  test(`refuses a URL with 422: ${what}`, () => assertRefusedEverywhere(tenant, { url }, 'url'))

const refusedHosts = `
  127.0.0.1 127.1 2130706433 0x7f.1 0x7f000001 0177.0.0.1 017700000001 127.0.0.1. ⑫⑦.⓪.⓪.①
  １２７。０。０。１ 127.255.255.254 0.0.0.0 0 [::] [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1]
  [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::] localhost LOCALHOST localhost.
  foo.localhost ⓛocalhost %6cocalhost %31%32%37.0.0.1 10.0.0.1 172.16.0.1 172.31.255.255
  192.168.1.1 100.64.0.1 169.254.1.1 224.0.0.1 240.0.0.1 255.255.255.255 192.0.2.1 198.18.0.1
  [fe80::1] [fc00::1] [fd12::1] [ff02::1] 169.254.169.254 2852039166 0xa9fea9fe
  [::ffff:169.254.169.254] [fd00:ec2::254] 168.63.129.16 100.100.100.200 169.254.170.2 192.0.0.192
  [64:ff9b::a9fe:a9fe]
`
for (const host of refusedHosts.trim().split(/\s+/)) {
  test(`refuses http://${host}/ with 422, because it resolves to a private or reserved address`, async () => {
    await assertRefusedEverywhere(tenant, { url: `http://${host}/` }, 'url')
    await assertRefusedEverywhere(tenant, { url: `https://${host}:8443/x?y` }, 'url')
  })
}

test('refuses http: with 422 where only https: is allowed', async () => {
  const own = await newWebhookTenant(httpsOnly)
  for (const url of ['http://1.1.1.1/', 'HTTP://1.1.1.1/', 'http:1.1.1.1'])
    await assertRefusedEverywhere(own, { url }, 'url')
})
