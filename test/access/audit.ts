import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  inParallel,
  NO_ROLES,
  newPeople,
  OWNER,
  type SeededTenant,
  seedTenant,
  seedTenants,
  UNREACHABLE_URL,
} from './fixtures.ts'
import { idNamesOf, isSafe, validBody } from './requests.ts'
import { auditEntriesOf, backend, call, mismatch, otherTenant, service, staff } from './service.ts'
import { ROUTES } from './statement.ts'

test('records every change by staff in an organisation once, as a change by staff', async () => {
  const routes = ROUTES.filter(
    (route) => !isSafe(route) && route.requires.kind !== 'invitation' && idNamesOf(route).length > 0,
  )
  const wrong: string[] = []
  const tenants = await seedTenants(
    backend,
    routes.map(() => ({})),
  )
  const cells = routes.map((route, index) => ({ route, tenant: tenants[index] as SeededTenant }))
  await inParallel(cells, async ({ route, tenant }) => {
    const reply = await call(staff, route, tenant, validBody(route, otherTenant.oid))
    const fault = mismatch(reply, { status: route.success })
    if (fault) wrong.push(`${route.name}: ${fault}`)
    const entries = await auditEntriesOf(reply)
    const recorded = entries.map((entry) => [
      entry.actor_id,
      entry.actor_staff,
      entry.organisation_id,
      entry.workspace_id,
    ])
    const workspace = route.requires.kind === 'organisation' ? entries[0]?.workspace_id : tenant.wid
    const wanted = [[staff.userId, true, tenant.oid, workspace]]
    if (JSON.stringify(recorded) !== JSON.stringify(wanted))
      wrong.push(`${route.name}: ${JSON.stringify(recorded)} instead of ${JSON.stringify(wanted)}`)
  })
  assert.deepEqual(wrong, [])
})

test('records the reason with which staff disable a webhook', async () => {
  const { webhook } = await seedTenant(backend)
  const body = { reason: 'It floods its receiver' }
  const reply = await staff.send('POST', `/api/v2/admin/webhooks/${webhook}/disable`, body)
  const entry = JSON.stringify((await auditEntriesOf(reply))[0])
  assert.ok(entry.includes(body.reason) && entry.includes(webhook), entry)
})

const SECRET = 'a secret that must not be readable'

/** Every way to change a webhook's secret, one after the other. */
const SECRET_CHANGES: [what: string, method: string, path: string, body: unknown][] = [
  ['set for the first time', 'PATCH', '', { secret: SECRET }],
  ['replaced', 'PATCH', '', { secret: `${SECRET}, the second` }],
  ['replaced by the same one', 'PATCH', '', { secret: `${SECRET}, the second` }],
  ['changed with other fields', 'PATCH', '', { secret: SECRET, name: 'Renamed' }],
  ['rotated to a given one', 'POST', '/rotate-secret', { secret: `${SECRET}, the third` }],
  ['rotated to a generated one', 'POST', '/rotate-secret', {}],
  ['rotated without a body', 'POST', '/rotate-secret', undefined],
  ['rotated without overlap', 'POST', '/rotate-secret', { overlap_seconds: 0 }],
  ['removed', 'PATCH', '', { secret: null }],
]

test('records each change of a secret once, with the actor and without the secret', async () => {
  const tenant = await seedTenant(backend)
  const [owner] = await newPeople(service, [{ ...NO_ROLES, workspace: 'owner' }], tenant)
  const all = `/api/projects/${tenant.pid}/webhooks`
  const url = UNREACHABLE_URL
  const events = ['report.generated']
  for (const [what, method, path, body] of [
    ['created with a secret', 'POST', all, { url, events, secret: SECRET }],
    ['created with a generated secret', 'POST', all, { url, events, generate_secret: true }],
    ...SECRET_CHANGES.map(([what, method, path, body]) => [
      what,
      method,
      `${all}/${tenant.webhook}${path}`,
      body,
    ]),
  ] as typeof SECRET_CHANGES) {
    const reply = await owner.send(method, path, body)
    assert.ok(reply.status < 300, `${what}: ${reply.text}`)
    const entries = await auditEntriesOf(reply)
    const actors = entries.map(({ actor_id, actor_staff }) => [actor_id, actor_staff])
    assert.deepEqual(actors, [[owner.userId, false]], what)
    const recorded = JSON.stringify(entries)
    for (const secret of [SECRET, reply.body.secret ?? SECRET])
      assert.ok(!recorded.includes(secret), `${what}: ${recorded}`)
  }
})

test('records neither rejected requests nor changes without effect', async () => {
  const tenant = await seedTenant(backend)
  const roleSets = [OWNER, { ...NO_ROLES, workspace: 'member' }] as const
  const [owner, member] = await newPeople(service, roleSets, tenant)
  const path = `/api/projects/${tenant.pid}/webhooks/${tenant.webhook}`
  for (const [person, body, status] of [
    [member, { secret: SECRET }, 403],
    [owner, { secret: '' }, 422],
    [owner, {}, 200],
  ] as const) {
    const reply = await person.send('PATCH', path, body)
    assert.equal(reply.status, status)
    assert.deepEqual(await auditEntriesOf(reply), [])
  }
})
