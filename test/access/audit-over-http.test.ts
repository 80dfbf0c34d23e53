import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Reply } from '../support/backend.ts'
import {
  inParallel,
  noRoles,
  type Person,
  personOf,
  seedTenant,
  settle,
  UNREACHABLE_URL,
} from './fixtures.ts'
import { idNamesOf, isSafe, validBody } from './requests.ts'
import { auditEntriesOf, call, mismatch, startTestService, type TestService } from './setup.ts'
import { type EffectiveRoles, ROUTES } from './statement.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const STAFF: EffectiveRoles = { ...noRoles, staff: true }

test('whatever staff change in an organisation is one row of its log, as staff’s', async () => {
  const elsewhere = await seedTenant(service.backend)
  const routes = ROUTES.filter((route) => !isSafe(route) && route.asks.of !== 'invitation').filter(
    (route) => idNamesOf(route).length > 0,
  )
  const wrong: string[] = []
  await inParallel(routes, async (route) => {
    const place = await seedTenant(service.backend)
    const staff = await personOf(service.backend, service.client, STAFF)
    const reply = await call(staff, route, place, validBody(route, elsewhere.oid))
    const fault = mismatch(reply, { status: route.success })
    if (fault) wrong.push(`${route.name}: ${fault}`)
    const entries = await auditEntriesOf(service, reply)
    const told = entries.map((entry) => [
      entry.actor_id,
      entry.actor_staff,
      entry.organisation_id,
      entry.workspace_id,
    ])
    const workspace = route.asks.of === 'organisation' ? entries[0]?.workspace_id : place.wid
    const wanted = [[staff.userId, true, place.oid, workspace]]
    if (JSON.stringify(told) !== JSON.stringify(wanted))
      wrong.push(`${route.name}: ${JSON.stringify(told)} instead of ${JSON.stringify(wanted)}`)
  })
  assert.deepEqual(wrong, [])
})

test('a disabling by staff is in the log with its reason', async () => {
  const { webhook } = await seedTenant(service.backend)
  const staff = await personOf(service.backend, service.client, STAFF)
  const body = { reason: 'It floods its receiver' }
  const reply = await staff.send('POST', `/api/v2/admin/webhooks/${webhook}/disable`, body)
  const [entry] = await auditEntriesOf(service, reply)
  assert.ok(JSON.stringify(entry).includes(body.reason), JSON.stringify(entry))
  assert.ok(JSON.stringify(entry).includes(webhook), JSON.stringify(entry))
})

const GIVEN = 'a secret that must not be readable'

/** Every way to change a webhook's secret, one after the other. */
const SECRET_CHANGES: [what: string, method: string, path: string, body: unknown][] = [
  ['given at first', 'PATCH', '', { secret: GIVEN }],
  ['replaced', 'PATCH', '', { secret: `${GIVEN}, the second` }],
  ['replaced by itself', 'PATCH', '', { secret: `${GIVEN}, the second` }],
  ['changed with other fields', 'PATCH', '', { secret: GIVEN, name: 'Renamed' }],
  ['rotated to a given one', 'POST', '/rotate-secret', { secret: `${GIVEN}, the third` }],
  ['rotated to a made one', 'POST', '/rotate-secret', {}],
  ['rotated without a body', 'POST', '/rotate-secret', undefined],
  ['rotated without overlap', 'POST', '/rotate-secret', { overlap_seconds: 0 }],
  ['removed', 'PATCH', '', { secret: null }],
]

test('each change of a secret writes one row, which tells who and which webhook, and never the secret', async () => {
  const place = await seedTenant(service.backend)
  const owner = await personOf(service.backend, service.client, { ...noRoles, workspace: 'owner' })
  await settle(service.backend, [owner], place)
  const all = `/api/projects/${place.pid}/webhooks`
  const check = (what: string, reply: Reply) => checkSecretChange(what, owner, reply)

  for (const secret of [{ secret: GIVEN }, { generate_secret: true }]) {
    const body = { url: UNREACHABLE_URL, events: ['report.generated'], ...secret }
    await check(`made with ${JSON.stringify(secret)}`, await owner.send('POST', all, body))
  }
  for (const [what, method, path, body] of SECRET_CHANGES)
    await check(what, await owner.send(method, `${all}/${place.webhook}${path}`, body))
})

async function checkSecretChange(what: string, owner: Person, reply: Reply): Promise<void> {
  assert.ok(reply.status < 300, `${what}: ${reply.text}`)
  const entries = await auditEntriesOf(service, reply)
  assert.deepEqual(
    entries.map(({ actor_id, actor_staff }) => [actor_id, actor_staff]),
    [[owner.userId, false]],
    what,
  )
  const told = JSON.stringify(entries)
  for (const secret of [GIVEN, reply.body.secret ?? GIVEN])
    assert.ok(!told.includes(secret), `${what}: ${told}`)
}

test('what is refused is not in the log, nor is a change that changes nothing', async () => {
  const place = await seedTenant(service.backend)
  const [owner, member] = await Promise.all(
    (['owner', 'member'] as const).map((workspace) =>
      personOf(service.backend, service.client, { ...noRoles, workspace }),
    ),
  )
  await settle(service.backend, [owner as Person, member as Person], place)
  const one = `/api/projects/${place.pid}/webhooks/${place.webhook}`
  const refused = await (member as Person).send('PATCH', one, { secret: GIVEN })
  const wrong = await (owner as Person).send('PATCH', one, { secret: '' })
  const idle = await (owner as Person).send('PATCH', one, {})
  assert.deepEqual([refused.status, wrong.status, idle.status], [403, 422, 200])
  for (const reply of [refused, wrong, idle]) assert.deepEqual(await auditEntriesOf(service, reply), [])
})
