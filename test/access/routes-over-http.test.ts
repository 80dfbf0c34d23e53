import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { newUser, type TestBackend } from '../support/backend.ts'
import type { Client } from './client.ts'
import {
  describe,
  everything,
  inParallel,
  introduce,
  inviteAll,
  newId,
  noRoles,
  type Person,
  personOf,
  type SeededTenant,
  seedTenant,
  settle,
  trace,
  withoutReadings,
} from './fixtures.ts'
import { isSafe, methodOf, PROBE, pathOf, targetKeyOf, validBody } from './requests.ts'
import {
  anyNotFound,
  auditEntriesOf,
  call,
  createPeople,
  DEFAULT_STATE,
  EACH_ROLE,
  mismatch,
  passed,
  probeOf,
  setUpTargets,
  startTestService,
  type TestService,
} from './setup.ts'
import {
  ALL_ROLE_SETS,
  AUDITED_READS,
  CAPABILITY,
  type Caller,
  canAssign,
  capabilitiesOf,
  type EffectiveRoles,
  expected,
  ORGANISATION_CAPABILITIES,
  PARTICIPANT_ROUTES,
  ROLES,
  ROUTES,
  type Role,
  type Route,
  rank,
  TARGETS,
  type Target,
  UPLOAD_ROUTES,
  WORKSPACE_CAPABILITIES,
} from './statement.ts'

/** Every pair of roles; that staff are above all of them is told by the pure rule for each pair, and here for some. */
const EVERYBODY: Caller[] = [
  'anonymous',
  ...ALL_ROLE_SETS.filter((effectiveRoles) => !effectiveRoles.staff),
  { ...noRoles, staff: true },
  { organisation: 'observer', workspace: null, staff: true },
  { organisation: null, workspace: 'billing', staff: true },
]
const STAFF: EffectiveRoles = { ...noRoles, staff: true }

let service: TestService
let backend: TestBackend
let client: Client
before(async () => {
  service = await startTestService()
  ;({ backend, client } = service)
})
after(async () => {
  await service.close()
  console.log(`# ${client.sent()} requests of the matrix over HTTP`)
})

test('every route treats every combination of roles and targets as documented', async (t) => {
  const { people, idsOf } = await setUpTargets(service, EVERYBODY)
  const before = withoutReadings(await everything(backend))
  const cells = ROUTES.flatMap((route) => {
    const targets = targetKeyOf(route) === null ? (['own'] as const) : TARGETS
    return targets.flatMap((target) =>
      people
        .filter((person) => isTelling(route, target, person.effectiveRoles))
        .map((person) => ({ route, person, target })),
    )
  })
  const wrong: string[] = []
  const notFound = new Map<string, string>()

  await inParallel(cells, async ({ route, person, target }) => {
    const wanted = expected(route, person.effectiveRoles, target, DEFAULT_STATE)
    const reply = await call(person, route, idsOf(target, person), probeOf(route, wanted))
    const fault = mismatch(reply, wanted ?? passed(route))
    const cell = `${route.name}, ${target}, ${describe(person.effectiveRoles)}`
    if (fault) wrong.push(`${cell}: ${fault}`)
    if (reply.status === 404) notFound.set(trace(reply), cell)
  })

  t.diagnostic(`${cells.length} cells over HTTP`)
  assert.deepEqual(wrong, [])
  assert.equal(notFound.size, 1, `one 404 for all:\n${[...notFound].join('\n')}`)
  const after = withoutReadings(await everything(backend))
  assert.deepEqual(after, before, 'nothing was changed by what was refused')
})

/** Pairs of roles tell something of what they are about; elsewhere each role alone and the highest pair do. */
function isTelling(route: Route, target: Target, caller: Caller): boolean {
  if (caller === 'anonymous' || caller.staff) return true
  const { organisation, workspace } = caller
  if (organisation === null || workspace === null || (organisation === 'owner' && workspace === 'owner'))
    return true
  return target === 'own' && ['organisation', 'workspace', 'project'].includes(route.asks.of)
}

test('every route does its work for every role that may, and for no other', async (t) => {
  const elsewhere = await seedTenant(backend)
  const worked = new Set<string>()
  const wrong: string[] = []
  const cells = ROUTES.flatMap((route) => EACH_ROLE.map((effectiveRoles) => ({ route, effectiveRoles })))

  await inParallel(cells, async ({ route, effectiveRoles }) => {
    const place = await seedTenant(backend)
    const person = await personOf(backend, client, effectiveRoles)
    await settle(backend, [person], place)
    if (route.asks.of === 'invitation') {
      await introduce(backend, [person])
      place.invitation = (await inviteAll(backend, [person], elsewhere)).get(person) as string
    }
    const wanted = expected(route, effectiveRoles, 'own', DEFAULT_STATE)
    const reply = await call(person, route, place, validBody(route, elsewhere.oid))
    const fault = mismatch(reply, wanted ?? { status: route.success })
    if (fault) wrong.push(`${route.name}, ${describe(effectiveRoles)}: ${fault}`)
    if (!wanted) worked.add(route.name)

    const rows = (await auditEntriesOf(service, reply)).length
    if (wanted && rows !== 0)
      wrong.push(`${route.name}, ${describe(effectiveRoles)}: refused, but in the audit log`)
    if (!wanted && isAudited(route, effectiveRoles) && rows !== 1)
      wrong.push(`${route.name}, ${describe(effectiveRoles)}: ${rows} rows in the audit log`)
  })

  t.diagnostic(`${cells.length} cells over HTTP, each in a state of its own`)
  assert.deepEqual(wrong, [])
  assert.deepEqual([...worked].toSorted(), ROUTES.map((route) => route.name).toSorted())
})

/** docs/roles-and-tiers.md, "Audit log". */
const isAudited = (route: Route, caller: Caller): boolean =>
  isSafe(route)
    ? caller !== 'anonymous' && caller.staff && AUDITED_READS.test(route.name)
    : (caller !== 'anonymous' && caller.staff) ||
      methodOf(route) === 'DELETE' ||
      route.name.includes('/members') ||
      route.name.endsWith('/rotate-secret') ||
      route.name.includes('/admin/')

for (const [gone, kinds] of [
  ['DELETE /api/v2/organisations/{oid}', ['organisation', 'workspace', 'project', 'webhook']],
  ['DELETE /api/v2/workspaces/{wid}', ['workspace', 'project', 'webhook']],
  ['DELETE /api/v2/projects/{pid}', ['project', 'webhook']],
] as const) {
  test(`${gone} takes along all that it held, for its owner and for staff`, async () => {
    const place = await seedTenant(backend)
    const roleSets = [{ organisation: 'owner', workspace: 'owner', staff: false } as const, STAFF]
    const [owner, staff] = (await createPeople(service, roleSets)) as [Person, Person]
    await settle(backend, [owner, staff], place)
    const removed = await call(owner, routeNamed(gone), place, undefined)
    assert.equal(removed.status, 204)
    const isGone = ({ asks, sub }: Route) =>
      kinds.some((kind) => kind === asks.of || (asks.of === 'staff' && kind === sub))
    const answers = new Map([[trace(await anyNotFound(service)), 'an organisation']])
    for (const route of ROUTES.filter(isGone)) {
      for (const person of route.asks.of === 'staff' ? [staff] : [owner, staff]) {
        const reply = await call(person, route, place, isSafe(route) ? undefined : PROBE)
        if (!answers.has(trace(reply))) answers.set(trace(reply), route.name)
      }
    }
    assert.equal(answers.size, 1, `after ${gone}:\n${[...answers].join('\n')}`)
    const listed = await staff.send('GET', '/api/v2/admin/webhooks?limit=200')
    const ids = listed.body.data.map(({ id }: { id: string }) => id)
    assert.ok(!ids.includes(place.webhook), `after ${gone} staff are not shown its webhooks`)
  })
}

/** One role of each rank. */
const RANKS: Role[] = ['owner', 'admin', 'member']

/** Who may manage members by some role, each with a place of their own so that they do not wait for each other. */
async function managers(): Promise<
  { person: Person; effectiveRoles: EffectiveRoles; place: SeededTenant }[]
> {
  const roleSets = ALL_ROLE_SETS.filter(({ organisation, workspace, staff }) => {
    const roles = [organisation, workspace]
    if (staff) return roles.every((role) => role === null)
    return (
      roles.every((role) => role === null || RANKS.includes(role)) && roles.some((role) => rank(role) > 0)
    )
  })
  return Promise.all(
    roleSets.map(async (effectiveRoles) => {
      const [person, place] = await Promise.all([
        personOf(backend, client, effectiveRoles),
        seedTenant(backend),
      ])
      await settle(backend, [person], place)
      return { person, effectiveRoles, place }
    }),
  )
}

test('callers cannot grant roles above their own, or change members above them', async (t) => {
  const routes = ROUTES.filter((route) => route.name.includes('/members') && !isSafe(route))
  const wrong: string[] = []
  let cells = 0
  await inParallel(await managers(), async ({ person, effectiveRoles, place }) => {
    const given = routes.filter((route) => !expected(route, effectiveRoles, 'own', DEFAULT_STATE))
    const changes = given.flatMap((route) =>
      changesBy(route).map(({ from, to }) => ({ route, from, to, userId: newUser() })),
    )
    const others = changes.map(({ from, userId }) => ({
      userId,
      effectiveRoles: { organisation: from, workspace: from, staff: false },
    }))
    await settle(backend, others, place)
    await backend.introduce(others.map(({ userId }) => userId))
    for (const { route, from, to, userId } of changes) {
      cells++
      const body = { role: to, ...(from ? {} : { user_id: userId }) }
      const reply = await call(person, route, { ...place, user_id: userId }, to ? body : undefined)
      const may =
        (!from || canAssign(route, effectiveRoles, from)) && (!to || canAssign(route, effectiveRoles, to))
      const fault = mismatch(reply, may ? { status: route.success } : CAPABILITY)
      if (fault) wrong.push(`${route.name} ${from} → ${to}, ${describe(effectiveRoles)}: ${fault}`)
    }
  })
  t.diagnostic(`${cells} cells over HTTP`)
  assert.deepEqual(wrong, [])
})

/** Adding each role, changing each rank into each, changing from and to each role, removing each. */
function changesBy(route: Route): { from: Role | null; to: Role | null }[] {
  if (methodOf(route) === 'POST') return ROLES.map((to) => ({ from: null, to }))
  if (methodOf(route) === 'DELETE') return ROLES.map((from) => ({ from, to: null }))
  const pairs = RANKS.flatMap((from) => RANKS.map((to) => ({ from, to })))
  const others = ROLES.filter((role) => !RANKS.includes(role))
  return [
    ...pairs,
    ...others.flatMap((role) => [
      { from: role, to: 'member' as const },
      { from: 'member' as const, to: role },
    ]),
  ]
}

test('everybody can leave, whatever their role, and the log shows it; who has no role has nothing to leave', async () => {
  const routes = ROUTES.filter(({ asks }) => 'selfToo' in asks)
  assert.equal(routes.length, 2)
  const cells = routes.flatMap((route) =>
    EACH_ROLE.slice(1).map((effectiveRoles) => ({ route, effectiveRoles })),
  )
  const wrong: string[] = []
  await inParallel(cells, async ({ route, effectiveRoles }) => {
    if (effectiveRoles === 'anonymous') return
    const [person, place] = [await personOf(backend, client, effectiveRoles), await seedTenant(backend)]
    await settle(backend, [person], place)
    const isMember = effectiveRoles[route.asks.of as 'organisation' | 'workspace'] !== null
    const wanted = expected(route, effectiveRoles, 'own', {
      ...DEFAULT_STATE,
      subExists: isMember,
      self: true,
    })
    const reply = await call(person, route, { ...place, user_id: person.userId })
    const fault = mismatch(reply, wanted ?? { status: 204 })
    const cell = `${route.name}, ${describe(effectiveRoles)}`
    if (fault) wrong.push(`${cell}: ${fault}`)
    const entries = (await auditEntriesOf(service, reply)).map(({ action }) => action).join()
    if (entries !== (wanted ? '' : `${route.asks.of}.member.left`)) wrong.push(`${cell}: ${entries}`)
    const again = await call(person, route, { ...place, user_id: person.userId })
    if (again.status !== 404) wrong.push(`${cell}: ${again.status} the second time`)
  })
  assert.deepEqual(wrong, [])
})

test('an organisation’s owners and admins list and remove members of its workspaces, none above their role', async () => {
  for (const organisation of ['owner', 'admin'] as const) {
    const place = await seedTenant(backend)
    const person = await personOf(backend, client, { ...noRoles, organisation })
    await settle(backend, [person], place)
    const path = `/api/v2/workspaces/${place.wid}/members`
    const listed = await person.send('GET', path)
    assert.deepEqual(
      listed.body.data.map(({ user_id }: { user_id: string }) => user_id).toSorted(),
      [place.owner, place.user_id].toSorted(),
    )
    const removed = await person.send('DELETE', `${path}/${place.user_id}`)
    assert.equal(removed.status, 204)
    const [entry] = await auditEntriesOf(service, removed)
    assert.deepEqual(
      [entry?.action, entry?.actor_id, entry?.organisation_id, entry?.workspace_id],
      ['workspace.member.removed', person.userId, place.oid, place.wid],
    )
    const last = await person.send('DELETE', `${path}/${place.owner}`)
    assert.deepEqual(
      [last.status, last.body.code],
      organisation === 'owner' ? [409, 'last_owner'] : [403, 'capability_required'],
    )
  }
})

test('an invitation by e-mail address is a grant too: none above the own role', async (t) => {
  const routes = ROUTES.filter((route) => /^POST .*\/members$/.test(route.name))
  const wrong: string[] = []
  let cells = 0
  await inParallel(await managers(), async ({ person, effectiveRoles, place }) => {
    for (const route of routes.filter((one) => !expected(one, effectiveRoles, 'own', DEFAULT_STATE))) {
      for (const role of ROLES) {
        cells++
        const reply = await call(person, route, place, { email: `${newId()}@example.com`, role })
        const fault = mismatch(reply, canAssign(route, effectiveRoles, role) ? { status: 202 } : CAPABILITY)
        if (fault) wrong.push(`${route.name} ${role}, ${describe(effectiveRoles)}: ${fault}`)
      }
    }
  })
  t.diagnostic(`${cells} cells over HTTP`)
  assert.deepEqual(wrong, [])
})

test('a person is told exactly what their roles give, and of nothing else', async () => {
  const { people, own } = await setUpTargets(service, [
    ...EACH_ROLE.slice(1),
    ...ROLES.map((role) => ({ organisation: role, workspace: role, staff: false })),
  ])
  await inParallel(people, async (person) => {
    const effectiveRoles = person.effectiveRoles as EffectiveRoles
    const { body } = await person.send('GET', '/api/v2/me')
    const told = (list: { id: string; role: string; capabilities: string[] }[]) =>
      list.map(({ id, role, capabilities }) => ({ id, role, capabilities: capabilities.toSorted() }))
    const holding = (id: string, role: Role | null, table: Record<string, string>) =>
      role === null ? [] : [{ id, role, capabilities: capabilitiesOf(table, role).toSorted() }]
    assert.equal(body.staff, effectiveRoles.staff)
    assert.deepEqual(
      told(body.organisations),
      holding(own.oid, effectiveRoles.organisation, ORGANISATION_CAPABILITIES),
    )
    assert.deepEqual(
      told(body.workspaces),
      holding(own.wid, effectiveRoles.workspace, WORKSPACE_CAPABILITIES),
    )
    const mine = await person.send('GET', '/api/v2/organisations')
    const ids = mine.body.data.map(({ id }: { id: string }) => id)
    assert.deepEqual(
      ids,
      effectiveRoles.organisation === null ? [] : [own.oid],
      'staff too list only their own',
    )
  })
})

test('HEAD is judged like GET on every route that reads, and always answered', async () => {
  const { people, own } = await setUpTargets(service, [
    'anonymous',
    noRoles,
    { ...noRoles, workspace: 'owner' },
    STAFF,
  ])
  const cells = ROUTES.filter(isSafe).flatMap((route) => people.map((person) => ({ route, person })))
  const wrong: string[] = []
  await inParallel(cells, async ({ route, person }) => {
    const wanted = (await call(person, route, own)).status
    const reply = await Promise.race([
      person.send('HEAD', pathOf(route, own)),
      pause(10_000, null, { ref: false }),
    ])
    if (reply?.status !== wanted || reply.text !== '')
      wrong.push(
        `HEAD of ${route.name}, ${describe(person.effectiveRoles)}: ${reply?.status ?? 'no answer'}, not ${wanted}`,
      )
  })
  assert.deepEqual(wrong, [])
})

/** `printRoutes` draws a tree: four characters per level, then the path's next part and its methods. */
function registeredRoutes(): { method: string; url: string }[] {
  const parents: string[] = []
  const lines = backend.app.printRoutes({ commonPrefix: false }).split('\n')
  return lines.flatMap((line) => {
    const match = /^([│ ]*)[├└]── (\S+) \(([A-Z, ]+)\)/.exec(line)
    assert.ok(match || line.trim() === '', `a line that this test can read: ${line}`)
    if (!match) return []
    const [, indent = '', part = '', methods = ''] = match
    const depth = indent.length / 4
    const url = `${parents[depth - 1] ?? ''}${part}`
    parents[depth] = url
    return methods.split(', ').map((method) => ({ method, url }))
  })
}

const named = ({ method, url }: { method: string; url: string }): string =>
  `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`

function routeNamed(name: string): Pick<Route, 'name' | 'success'> {
  const route = [...ROUTES, ...PARTICIPANT_ROUTES, ...UPLOAD_ROUTES].find((one) => one.name === name)
  assert.ok(route, name)
  return route
}

test('every route of the service is in the matrix, and the matrix names no other', async () => {
  const registered = registeredRoutes()
  assert.ok(registered.length > ROUTES.length)
  const names = new Set(registered.map(named))
  const known = [...ROUTES, ...PARTICIPANT_ROUTES, ...UPLOAD_ROUTES]
  for (const { name } of known) assert.ok(names.has(name), `${name} is in the matrix but not in the service`)

  const inMatrix = new Set(known.map((route) => route.name))
  const place = await seedTenant(backend)
  // Staff see the most: what even they can't use is a filler that answers 404 or 405.
  const staff = await personOf(backend, client, { ...noRoles, staff: true })
  for (const one of registered) {
    const name = named(one)
    if (inMatrix.has(name)) continue
    if (one.method === 'HEAD' && inMatrix.has(name.replace('HEAD', 'GET'))) continue
    // Preflights, and the files of the page that shows the reference: public by their nature.
    if (/^(GET|HEAD) \/withdraw\/\{cid\}$/.test(name)) continue
    if (name === 'OPTIONS *' || /^(GET|HEAD) \/api\/docs\//.test(name)) continue
    const reply = await staff.send(one.method, pathOf({ name }, place).replace('*', 'x'))
    assert.ok(
      [404, 405].includes(reply.status),
      `${name} is missing from the matrix: it answers ${reply.status}`,
    )
  }
})

test('every route that the reference shows is in the matrix', async () => {
  const { paths } = (await (await fetch(`${backend.url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
  }
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { responses }] of Object.entries(operations)) {
      const route = routeNamed(`${method.toUpperCase()} ${path}`)
      assert.ok(String(route.success) in responses, `${route.name} is documented to answer ${route.success}`)
    }
  }
})
