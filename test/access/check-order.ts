import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../platform/ids.ts'
import type { Reply } from '../support/backend.ts'
import { allIds, grantRoles, type Ids, type Person, type SeededTenant, seedTenant } from './fixtures.ts'
import { idNamesOf, isSafe, methodOf, pathOf, validBody } from './requests.ts'
import { backend, client, observer, otherTenant, owner, ownIds, staff, stranger, tenant } from './service.ts'
import { isGated, ROUTES, type Route } from './statement.ts'

// Each request is wrong in several ways: the response must report the error that comes first in the order of checks.

const unknownIds = allIds(newId())

const CHANGING = ROUTES.filter((route) => !isSafe(route))
const WITH_TARGET = CHANGING.filter((route) => idNamesOf(route).length > 0)
/** Routes on a target that needs a role; the tests of sub-resources cover the others. */
const BY_ROLE = CHANGING.filter(({ requires }) =>
  ['organisation', 'workspace', 'project'].includes(requires.kind),
)

const HUGE = Buffer.from(JSON.stringify({ name: 'x'.repeat(1024 * 1024) }))
const JSON_TYPE = { 'content-type': 'application/json' }
type WrongBody = [body: string | Buffer, headers: Record<string, string>]
/** Every error in a body, in the order of checks. */
const WRONG_BODIES: WrongBody[] = [
  ['name=x', { 'content-type': 'text/plain' }],
  [HUGE, { 'content-type': 'text/plain' }],
  [HUGE, JSON_TYPE],
  ['{"name":', JSON_TYPE],
  ['{"surprise":true}', JSON_TYPE],
]

const authorized = (route: Route): Person => (route.requires.kind === 'staff' ? staff : owner)
/** The target exists, and its sub-resources do not. */
const withoutSubs = ({ oid, wid, pid, cid, rid }: SeededTenant): Ids => ({
  ...unknownIds,
  oid,
  wid,
  pid,
  cid,
  rid,
})

/** One of each status, where the order among them does not matter. */
const SOME_BODIES = WRONG_BODIES.filter((_, index) => index % 2 === 0)

type Outcome = [status: number, code: string]
const outcomeOf = ({ status, body }: Reply): Outcome => [status, body?.code]

/** Sends wrong bodies, all of which must get this response. */
async function everyWrongBody(
  { send }: Pick<Person, 'send'>,
  route: Route,
  ids: Ids,
  expected: Outcome,
  headers: Record<string, string> = {},
): Promise<void> {
  for (const [body, type] of SOME_BODIES) {
    const reply = await send(methodOf(route), pathOf(route, ids), body, { ...type, ...headers })
    const what = `${route.name} ${type['content-type']} ${body.slice(0, 20).toString()}`
    assert.deepEqual(outcomeOf(reply), expected, what)
  }
}

const UNAUTHENTICATED: Outcome = [401, 'unauthenticated']
const FORGED: Outcome = [403, 'csrf_rejected']
const CAPABILITY: Outcome = [403, 'capability_required']
const TIER: Outcome = [403, 'tier_required']
const STAFF_REQUIRED: Outcome = [403, 'staff_required']
const NOT_FOUND: Outcome = [404, 'not_found']
const FORGED_HEADERS = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }

test('reports a missing or invalid token before anything else', async () => {
  const badTokens = [{ authorization: 'Bearer x.y.z' }, { cookie: 'service_session_token=a.b.c' }]
  for (const route of WITH_TARGET) {
    await everyWrongBody(client, route, unknownIds, UNAUTHENTICATED, FORGED_HEADERS)
    for (const token of badTokens) {
      const headers = { 'content-type': 'text/plain', ...token, ...FORGED_HEADERS }
      const reply = await client.send(methodOf(route), pathOf(route, unknownIds), 'name=x', headers)
      assert.deepEqual(outcomeOf(reply), UNAUTHENTICATED, route.name)
    }
  }
})

test('reports a forged request before its target, its rights and its body', async () => {
  for (const [person, ids] of [
    [stranger, unknownIds],
    [owner, ownIds],
  ] as const) {
    const cookie = `service_session_token=${await backend.token({ id: person.userId })}`
    for (const route of CHANGING)
      await everyWrongBody(client, route, ids, FORGED, { cookie, ...FORGED_HEADERS })
  }
})

test('reports a target without access as not found before it reads the body', async () => {
  for (const route of BY_ROLE) {
    await everyWrongBody(owner, route, otherTenant, NOT_FOUND)
    await everyWrongBody(staff, route, unknownIds, NOT_FOUND)
  }
})

test('reports a missing capability before it reads the body', async () => {
  for (const route of BY_ROLE) {
    await everyWrongBody(observer, route, ownIds, CAPABILITY)
    // Missing members and webhooks are reported after the capability, so that callers without it cannot find out which exist.
    await everyWrongBody(observer, route, withoutSubs(tenant), CAPABILITY)
  }
})

test('reports a missing capability and not the tier', async () => {
  const free = await seedTenant(backend, { tier: 'free' })
  await grantRoles(backend, [observer], free)
  for (const route of CHANGING.filter(isGated)) await everyWrongBody(observer, route, free, CAPABILITY)
})

test('reports a tier that is too low before it looks up sub-resources and reads the body', async () => {
  for (const tier of ['free', 'innovator'] as const) {
    const low = await seedTenant(backend, { tier })
    await grantRoles(backend, [owner], low)
    for (const route of CHANGING.filter(isGated)) {
      for (const person of [owner, staff]) {
        await everyWrongBody(person, route, low, TIER)
        await everyWrongBody(person, route, withoutSubs(low), TIER)
      }
    }
  }
})

test('reports missing staff rights before it looks up the target and reads the body', async () => {
  for (const route of CHANGING.filter(({ requires }) => requires.kind === 'staff')) {
    await everyWrongBody(owner, route, ownIds, STAFF_REQUIRED)
    await everyWrongBody(owner, route, unknownIds, STAFF_REQUIRED)
  }
})

test('reports a missing sub-resource before it reads the body', async () => {
  for (const route of CHANGING.filter(({ sub }) => sub)) {
    const ids = route.requires.kind === 'staff' ? unknownIds : withoutSubs(tenant)
    await everyWrongBody(authorized(route), route, ids, NOT_FOUND)
    // The webhook exists, and the delivery does not.
    if (route.sub === 'delivery') await everyWrongBody(owner, route, { ...tenant, did: newId() }, NOT_FOUND)
  }
})

test('reports an invitation that is unknown or for somebody else before it reads the body', async () => {
  for (const route of CHANGING.filter(({ requires }) => requires.kind === 'invitation')) {
    await everyWrongBody(owner, route, unknownIds, NOT_FOUND)
    await everyWrongBody(stranger, route, ownIds, NOT_FOUND)
  }
})

test('checks the media type before the size, the size before the JSON, and the JSON before its fields', async () => {
  for (const route of CHANGING) {
    const seen: Outcome[] = []
    for (const [body, headers] of WRONG_BODIES)
      seen.push(
        outcomeOf(await authorized(route).send(methodOf(route), pathOf(route, ownIds), body, headers)),
      )
    const expected = [
      [415, 'unsupported_media'],
      [415, 'unsupported_media'],
      [413, 'too_large'],
      [422, 'invalid_input'],
      [422, 'invalid_input'],
    ]
    assert.deepEqual(seen, expected, route.name)
  }
})

test('names an unknown field', async () => {
  for (const route of CHANGING) {
    const body = { ...validBody(route, tenant.oid), surprise: true }
    const reply = await authorized(route).send(methodOf(route), pathOf(route, ownIds), body)
    assert.equal(reply.status, 422, route.name)
    const isNamed = reply.body.errors.some(({ path }: { path: string }) => path === 'surprise')
    assert.ok(isNamed, `${route.name}: ${reply.text}`)
  }
})
