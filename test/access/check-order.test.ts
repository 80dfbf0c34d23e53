import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newUser, type Reply, startBackend, type TestBackend } from '../support/backend.ts'
import { type Client, clientOf } from './client.ts'
import {
  allIds,
  type Ids,
  introduce,
  inviteAll,
  newId,
  noRoles,
  type Person,
  personOf,
  type SeededTenant,
  seedTenant,
  settle,
} from './fixtures.ts'
import { isSafe, methodOf, pathOf, targetKeyOf, validBody } from './requests.ts'
import { isGated, ROUTES, type Route } from './statement.ts'

// Each test makes requests that are wrong in several ways at once: the first wrong of the order is what is answered.

let backend: TestBackend
let client: Client
let own: SeededTenant
let owner: Person
let observer: Person
let stranger: Person
let staff: Person
let invitation: string
before(async () => {
  backend = await startBackend({ allowedOrigins: ['https://app.test'] })
  client = clientOf(backend.url)
  const roleSets = [
    { organisation: 'owner', workspace: 'owner', staff: false },
    { organisation: 'observer', workspace: 'observer', staff: false },
    noRoles,
    { ...noRoles, staff: true },
  ] as const
  own = await seedTenant(backend)
  const people = await Promise.all(
    roleSets.map((effectiveRoles) => personOf(backend, client, effectiveRoles)),
  )
  await settle(backend, people, own)
  await introduce(backend, people)
  ;[owner, observer, stranger, staff] = people as [Person, Person, Person, Person]
  invitation = (await inviteAll(backend, [owner], await seedTenant(backend))).get(owner) as string
})
after(async () => {
  client.close()
  await backend.stop()
})

const CHANGING = ROUTES.filter((route) => !isSafe(route))
const WITH_TARGET = CHANGING.filter((route) => targetKeyOf(route) !== null)
/** Routes whose target is looked for by reach; for the rest see the tests of sub-resources. */
const BY_REACH = CHANGING.filter(({ asks }) => ['organisation', 'workspace', 'project'].includes(asks.of))

const HUGE = Buffer.from(JSON.stringify({ name: 'x'.repeat(1024 * 1024) }))
const JSON_TYPE = { 'content-type': 'application/json' }
type WrongBody = [body: string | Buffer, headers: Record<string, string>]
/** Everything that can be wrong with a body, from the first refusal to the last. */
const WRONG_BODIES: WrongBody[] = [
  ['name=x', { 'content-type': 'text/plain' }],
  [HUGE, { 'content-type': 'text/plain' }],
  [HUGE, JSON_TYPE],
  ['{"name":', JSON_TYPE],
  ['{"surprise":true}', JSON_TYPE],
]

const somebody = (route: Route): Person => (route.asks.of === 'staff' ? staff : owner)
const ownIds = (): Ids => ({ ...own, invitation })
const unknownIds = (): Ids => allIds(newId())
/** What reach is about is there, and what it holds is not. */
const withoutSubs = (place: SeededTenant): Ids => ({
  ...unknownIds(),
  oid: place.oid,
  wid: place.wid,
  pid: place.pid,
  cid: place.cid,
  rid: place.rid,
})

/** One of each status, where the order among them does not matter. */
const SOME_BODIES = WRONG_BODIES.filter((_, index) => index % 2 === 0)

async function everyWrongBody(
  route: Route,
  person: Person,
  ids: Ids,
  headers: Record<string, string>,
  check: (reply: Reply, what: string) => void,
  bodies = SOME_BODIES,
): Promise<void> {
  for (const [body, type] of bodies) {
    const reply = await person.send(methodOf(route), pathOf(route, ids), body, { ...type, ...headers })
    check(reply, `${route.name} ${type['content-type']} ${body.slice(0, 20).toString()}`)
  }
}

const is = (status: number, code: string) => (reply: Reply, what: string) =>
  assert.deepEqual([reply.status, reply.body?.code], [status, code], what)

test('without a good token everything else that is wrong stays untold', async () => {
  const anonymous = { ...stranger, send: client.send }
  const badTokens = [{ authorization: 'Bearer x.y.z' }, { cookie: 'service_session_token=a.b.c' }]
  const forged = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }
  const refused = is(401, 'unauthenticated')
  for (const route of WITH_TARGET) {
    await everyWrongBody(route, anonymous, unknownIds(), forged, refused)
    for (const token of badTokens) {
      const headers = { 'content-type': 'text/plain', ...token, ...forged }
      refused(await client.send(methodOf(route), pathOf(route, unknownIds()), 'name=x', headers), route.name)
    }
  }
})

test('a forged request learns nothing of the target, of its rights or of its body', async () => {
  for (const { person, ids } of [
    { person: stranger, ids: unknownIds() },
    { person: owner, ids: ownIds() },
  ]) {
    const token = await backend.token({ id: person.userId })
    const byCookie = { ...person, send: client.send }
    const headers = {
      cookie: `service_session_token=${token}`,
      'sec-fetch-site': 'cross-site',
      origin: 'https://evil.test',
    }
    for (const route of CHANGING)
      await everyWrongBody(route, byCookie, ids, headers, is(403, 'csrf_rejected'))
  }
})

test('what is out of reach is not found, whatever is wrong with the body', async () => {
  const foreign = await seedTenant(backend)
  for (const route of BY_REACH) {
    await everyWrongBody(route, owner, foreign, {}, is(404, 'not_found'))
    await everyWrongBody(route, staff, unknownIds(), {}, is(404, 'not_found'))
  }
})

test('reports a missing capability before it reads the body', async () => {
  for (const route of BY_REACH) {
    await everyWrongBody(route, observer, ownIds(), {}, is(403, 'capability_required'))
    // Missing members and webhooks are reported after the capability, so that callers without it cannot find out which exist.
    await everyWrongBody(route, observer, withoutSubs(own), {}, is(403, 'capability_required'))
  }
})

test('reports a missing capability and not the tier', async () => {
  const place = await seedTenant(backend, { tier: 'free' })
  await settle(backend, [observer], place)
  for (const route of CHANGING.filter(isGated))
    await everyWrongBody(route, observer, place, {}, is(403, 'capability_required'))
})

test('a tier that is too low is told before what the project holds is looked for and the body read', async () => {
  for (const tier of ['free', 'innovator'] as const) {
    const place = await seedTenant(backend, { tier })
    await settle(backend, [owner], place)
    for (const route of CHANGING.filter(isGated)) {
      for (const person of [owner, staff]) {
        await everyWrongBody(route, person, place, {}, is(403, 'tier_required'))
        await everyWrongBody(route, person, withoutSubs(place), {}, is(403, 'tier_required'))
      }
    }
  }
})

test('reports missing staff rights before it finds the target and reads the body', async () => {
  for (const route of CHANGING.filter(({ asks }) => asks.of === 'staff')) {
    await everyWrongBody(route, owner, ownIds(), {}, is(403, 'staff_required'))
    await everyWrongBody(route, owner, unknownIds(), {}, is(403, 'staff_required'))
  }
})

test('a sub-resource that is missing is not found, whatever is wrong with the body', async () => {
  for (const route of CHANGING.filter(({ sub }) => sub)) {
    const byStaff = route.asks.of === 'staff'
    const ids = byStaff ? unknownIds() : withoutSubs(own)
    await everyWrongBody(route, byStaff ? staff : owner, ids, {}, is(404, 'not_found'))
  }
  // The webhook is there, and what is asked for below it is not.
  for (const route of CHANGING.filter(({ sub }) => sub === 'delivery'))
    await everyWrongBody(route, owner, { ...own, did: newId() }, {}, is(404, 'not_found'))
})

test('an invitation that is unknown or of somebody else is not found, whatever is wrong with the body', async () => {
  for (const route of CHANGING.filter(({ asks }) => asks.of === 'invitation')) {
    await everyWrongBody(route, owner, unknownIds(), {}, is(404, 'not_found'))
    await everyWrongBody(route, stranger, ownIds(), {}, is(404, 'not_found'))
  }
})

test('another media type is refused before the size, the size before the JSON, the JSON before its fields', async () => {
  const answers = [
    [415, 'unsupported_media'],
    [415, 'unsupported_media'],
    [413, 'too_large'],
    [422, 'invalid_input'],
    [422, 'invalid_input'],
  ]
  for (const route of CHANGING) {
    const seen: [number, string][] = []
    const see = ({ status, body }: Reply) => void seen.push([status, body?.code])
    await everyWrongBody(route, somebody(route), ownIds(), {}, see, WRONG_BODIES)
    assert.deepEqual(seen, answers, route.name)
  }
})

test('an unknown field is named', async () => {
  for (const route of CHANGING) {
    const body = { ...(validBody(route, own.oid) as object), surprise: true }
    const reply = await somebody(route).send(methodOf(route), pathOf(route, ownIds()), body)
    assert.equal(reply.status, 422, route.name)
    const named = reply.body.errors.some(({ path }: { path: string }) => path === 'surprise')
    assert.ok(named, `${route.name}: ${reply.text}`)
  }
})

test('where only staff may create organisations, others are told so before the body is read', async () => {
  const strict = await startBackend({ whoMayCreateOrganisations: 'staff' })
  try {
    const caller = await strict.as(newUser())
    is(403, 'staff_required')(await caller.post('/api/v2/organisations', { name: 'New' }), 'valid')
    is(403, 'staff_required')(await caller.post('/api/v2/organisations', { surprise: true }), 'invalid')
  } finally {
    await strict.stop()
  }
})
