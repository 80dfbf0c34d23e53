import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { newId } from '../../platform/ids.ts'
import { newUser } from '../support/backend.ts'
import {
  comparable,
  describeCaller,
  everything,
  grantRoles,
  type Ids,
  inParallel,
  inviteAll,
  NO_ROLES,
  newPeople,
  newTargets,
  OWNER,
  STAFF,
  seedTenant,
  type TestTarget,
} from './fixtures.ts'
import { INVALID_BODY, idNamesOf, isSafe, methodOf, pathOf, validBody } from './requests.ts'
import {
  anyNotFound,
  auditEntriesOf,
  backend,
  call,
  DEFAULT_STATE,
  EACH_CALLER,
  EACH_ROLE,
  granted,
  mismatch,
  otherTenant,
  probeOf,
  service,
  setUpTargets,
  staff,
} from './service.ts'
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
  OTHER_ROUTES,
  ROLES,
  ROUTES,
  type Role,
  type Route,
  rank,
  TARGETS,
  type Target,
  WORKSPACE_CAPABILITIES,
} from './statement.ts'

/** Every pair of roles, and some callers who are staff: authorize.ts tests staff with every pair. */
const EVERYBODY: Caller[] = [
  'anonymous',
  ...ALL_ROLE_SETS.filter((effectiveRoles) => !effectiveRoles.staff),
  STAFF,
  { organisation: 'observer', workspace: null, staff: true },
  { organisation: null, workspace: 'billing', staff: true },
]

test('every route treats every combination of roles and targets as documented', async (t) => {
  const { people, idsOf } = await setUpTargets(EVERYBODY)
  const before = await everything(backend, { withReads: false })
  const cells = ROUTES.flatMap((route) => {
    const targets = idNamesOf(route).length === 0 ? (['own'] as const) : TARGETS
    return targets.flatMap((target) =>
      people
        .filter((person) => isRelevant(route, target, person.effectiveRoles))
        .map((person) => ({ route, person, target })),
    )
  })
  const wrong: string[] = []
  const notFound = new Map<string, string>()

  await inParallel(cells, async ({ route, person, target }) => {
    const wanted = expected(route, person.effectiveRoles, target, DEFAULT_STATE)
    const reply = await call(person, route, idsOf(target, person), probeOf(route, wanted))
    const fault = mismatch(reply, wanted ?? granted(route))
    const cell = `${route.name}, ${target}, ${describeCaller(person.effectiveRoles)}`
    if (fault) wrong.push(`${cell}: ${fault}`)
    if (reply.status === 404) notFound.set(comparable(reply), cell)
  })

  t.diagnostic(`${cells.length} cells over HTTP`)
  assert.deepEqual(wrong, [])
  assert.equal(notFound.size, 1, `different 404 responses:\n${[...notFound].join('\n')}`)
  const after = await everything(backend, { withReads: false })
  assert.deepEqual(after, before, 'rejected requests changed nothing')
})

/** The first route with each requirement. */
const FIRST_ROUTES = new Map(ROUTES.toReversed().map((route) => [JSON.stringify(route.requires), route]))

/**
 * Whether this combination can show an error that others do not:
 * - Staff, and callers with the highest roles or none, call every route in every target.
 * - An unknown or malformed id is handled in the same way for every caller, so the others need not send it.
 * - A caller with one role calls every route, which shows a wrong requirement.
 * - Two roles together allow what one of them allows; authorize.ts tests this for every pair. So pairs call only one route per
 *   requirement, in the target in which they have their roles.
 */
function isRelevant(route: Route, target: Target, caller: Caller): boolean {
  if (caller === 'anonymous' || caller.staff) return true
  const { organisation, workspace } = caller
  const isHighest = organisation === 'owner' && workspace === 'owner'
  const isStranger = organisation === null && workspace === null
  if (isHighest || isStranger) return true
  if (target === 'unknown' || target === 'malformed') return false
  if (organisation === null || workspace === null) return true
  return target === 'own' && FIRST_ROUTES.get(JSON.stringify(route.requires)) === route
}

test('every route succeeds for every role that has access, and for no other', async (t) => {
  const worked = new Set<string>()
  const wrong: string[] = []
  // A rejected request changes nothing, so all of them can share a tenant.
  const rejected = await setUpTargets(EACH_CALLER)
  const cells = ROUTES.flatMap((route) =>
    rejected.people.map((person) => {
      const { effectiveRoles } = person
      return { route, person, effectiveRoles, wanted: expected(route, effectiveRoles, 'own', DEFAULT_STATE) }
    }),
  )
  const denied = cells.filter(({ wanted }) => wanted)
  const allowed = await newTargets(
    service,
    cells.filter(({ wanted }) => !wanted),
  )
  const requests = [
    ...denied.map((cell) => ({ ...cell, ids: rejected.idsOf('own', cell.person) })),
    ...(await Promise.all(allowed.map(async (cell) => ({ ...cell, ids: await idsFor(cell.route, cell) })))),
  ]

  await inParallel(requests, async ({ route, person, effectiveRoles, wanted, ids }) => {
    const reply = await call(person, route, ids, validBody(route, otherTenant.oid))
    const fault = mismatch(reply, wanted ?? { status: route.success })
    if (fault) wrong.push(`${route.name}, ${describeCaller(effectiveRoles)}: ${fault}`)
    if (!wanted) worked.add(route.name)

    const rows = (await auditEntriesOf(reply)).length
    if (wanted ? rows !== 0 : isAudited(route, effectiveRoles) && rows !== 1)
      wrong.push(`${route.name}, ${describeCaller(effectiveRoles)}: ${rows} audit entries`)
  })

  t.diagnostic(`${cells.length} cells over HTTP, each with access in a new tenant`)
  assert.deepEqual(wrong, [])
  assert.deepEqual([...worked].toSorted(), ROUTES.map((route) => route.name).toSorted())
})

async function idsFor({ requires }: Route, { person, tenant }: TestTarget): Promise<Ids> {
  if (requires.kind !== 'invitation') return tenant
  const invitations = await inviteAll(backend, [person], otherTenant)
  return { ...tenant, invitation: invitations.get(person) as string }
}

/** docs/roles-and-tiers.md, "Audit log". */
function isAudited(route: Route, caller: Caller): boolean {
  const isByStaff = caller !== 'anonymous' && caller.staff
  return isSafe(route)
    ? isByStaff && AUDITED_READS.test(route.name)
    : isByStaff || /^DELETE|\/members|\/rotate-secret$|\/admin\//.test(route.name)
}

for (const [gone, kinds] of [
  ['DELETE /api/v2/organisations/{oid}', ['organisation', 'workspace', 'project', 'webhook']],
  ['DELETE /api/v2/workspaces/{wid}', ['workspace', 'project', 'webhook']],
  ['DELETE /api/v2/projects/{pid}', ['project', 'webhook']],
] as const) {
  test(`${gone} also deletes everything below it, for its owner and for staff`, async () => {
    const tenant = await seedTenant(backend)
    const [owner] = await newPeople(service, [OWNER], tenant)
    assert.equal((await call(owner, routeNamed(gone), tenant)).status, 204)
    const isGone = ({ requires, sub }: Route) =>
      kinds.some((kind) => kind === requires.kind || (requires.kind === 'staff' && kind === sub))
    const responses = new Map([[comparable(await anyNotFound()), 'an organisation']])
    for (const route of ROUTES.filter(isGone)) {
      for (const person of route.requires.kind === 'staff' ? [staff] : [owner, staff]) {
        const reply = await call(person, route, tenant, isSafe(route) ? undefined : INVALID_BODY)
        responses.set(comparable(reply), route.name)
      }
    }
    assert.equal(responses.size, 1, `after ${gone}:\n${[...responses].join('\n')}`)
    const listed = await staff.send('GET', '/api/v2/admin/webhooks?limit=200')
    const ids = listed.body.data.map(({ id }: { id: string }) => id)
    assert.ok(!ids.includes(tenant.webhook), `staff do not see its webhooks after ${gone}`)
  })
}

/** One role of each rank. */
const RANKS: Role[] = ['owner', 'admin', 'member']

/** Everybody who can manage members, each in their own tenant, so that they do not wait for each other. */
function newManagers(): Promise<(TestTarget & { effectiveRoles: EffectiveRoles })[]> {
  const roleSets = ALL_ROLE_SETS.filter(({ organisation, workspace, staff }) => {
    const roles = [organisation, workspace].filter((role) => role !== null)
    if (staff) return roles.length === 0
    return roles.every((role) => RANKS.includes(role)) && roles.some((role) => rank(role) > 0)
  })
  return newTargets(
    service,
    roleSets.map((effectiveRoles) => ({ effectiveRoles })),
  )
}

test('callers cannot grant roles above their own, or change members above them', async (t) => {
  const routes = ROUTES.filter((route) => route.name.includes('/members') && !isSafe(route))
  const wrong: string[] = []
  let cells = 0
  await inParallel(await newManagers(), async ({ person, effectiveRoles, tenant }) => {
    const changes = routes
      .filter((route) => !expected(route, effectiveRoles, 'own', DEFAULT_STATE))
      .flatMap((route) => changesBy(route).map(({ from, to }) => ({ route, from, to, userId: newUser() })))
    const members = changes.map(({ from, userId }) => ({
      userId,
      effectiveRoles: { organisation: from, workspace: from, staff: false },
    }))
    await grantRoles(backend, members, tenant)
    await backend.introduce(members.map(({ userId }) => userId))
    for (const { route, from, to, userId } of changes) {
      cells++
      const body = { role: to, ...(from ? {} : { user_id: userId }) }
      const reply = await call(person, route, { ...tenant, user_id: userId }, to ? body : undefined)
      const isAllowed = [from, to].every((role) => !role || canAssign(route, effectiveRoles, role))
      const fault = mismatch(reply, isAllowed ? { status: route.success } : CAPABILITY)
      if (fault) wrong.push(`${route.name} ${from} → ${to}, ${describeCaller(effectiveRoles)}: ${fault}`)
    }
  })
  t.diagnostic(`${cells} cells over HTTP`)
  assert.deepEqual(wrong, [])
})

/** Adding and removing each role, changing each rank to each other, and changing from and to each role. */
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

test('everybody with a role can leave, whatever the role, and the audit log shows it', async () => {
  const routes = ROUTES.filter(({ requires }) => 'orSelf' in requires)
  assert.equal(routes.length, 2)
  const cells = routes.flatMap((route) => EACH_ROLE.map((effectiveRoles) => ({ route, effectiveRoles })))
  const wrong: string[] = []
  await inParallel(await newTargets(service, cells), async ({ route, effectiveRoles, person, tenant }) => {
    const subExists = effectiveRoles[route.requires.kind as 'organisation' | 'workspace'] !== null
    const wanted = expected(route, effectiveRoles, 'own', { ...DEFAULT_STATE, subExists, self: true })
    const reply = await call(person, route, { ...tenant, user_id: person.userId })
    const fault = mismatch(reply, wanted ?? { status: 204 })
    const cell = `${route.name}, ${describeCaller(effectiveRoles)}`
    if (fault) wrong.push(`${cell}: ${fault}`)
    const entries = (await auditEntriesOf(reply)).map(({ action }) => action).join()
    if (entries !== (wanted ? '' : `${route.requires.kind}.member.left`)) wrong.push(`${cell}: ${entries}`)
    const again = await call(person, route, { ...tenant, user_id: person.userId })
    if (again.status !== 404) wrong.push(`${cell}: ${again.status} the second time`)
  })
  assert.deepEqual(wrong, [])
})

test('owners and admins of an organisation list and remove members of its workspaces, none above their role', async () => {
  for (const organisation of ['owner', 'admin'] as const) {
    const { oid, wid, owner, user_id, ...tenant } = await seedTenant(backend)
    const [person] = await newPeople(service, [{ ...NO_ROLES, organisation }], {
      ...tenant,
      oid,
      wid,
      user_id,
    })
    const path = `/api/v2/workspaces/${wid}/members`
    const listed = await person.send('GET', path)
    const members = listed.body.data.map((member: { user_id: string }) => member.user_id)
    assert.deepEqual(members.toSorted(), [owner, user_id].toSorted())
    const removed = await person.send('DELETE', `${path}/${user_id}`)
    assert.equal(removed.status, 204)
    const [entry] = await auditEntriesOf(removed)
    assert.deepEqual(
      [entry?.action, entry?.actor_id, entry?.organisation_id, entry?.workspace_id],
      ['workspace.member.removed', person.userId, oid, wid],
    )
    const last = await person.send('DELETE', `${path}/${owner}`)
    const expected = organisation === 'owner' ? [409, 'last_owner'] : [403, 'capability_required']
    assert.deepEqual([last.status, last.body.code], expected)
  }
})

test('callers cannot invite to a role above their own', async (t) => {
  const routes = ROUTES.filter((route) => /^POST .*\/members$/.test(route.name))
  const wrong: string[] = []
  let cells = 0
  await inParallel(await newManagers(), async ({ person, effectiveRoles, tenant }) => {
    for (const route of routes.filter((one) => !expected(one, effectiveRoles, 'own', DEFAULT_STATE))) {
      for (const role of ROLES) {
        cells++
        const reply = await call(person, route, tenant, { email: `${newId()}@example.com`, role })
        const fault = mismatch(reply, canAssign(route, effectiveRoles, role) ? { status: 202 } : CAPABILITY)
        if (fault) wrong.push(`${route.name} ${role}, ${describeCaller(effectiveRoles)}: ${fault}`)
      }
    }
  })
  t.diagnostic(`${cells} cells over HTTP`)
  assert.deepEqual(wrong, [])
})

test('/me lists exactly the capabilities of the roles, and only the organisations and workspaces of the caller', async () => {
  const { people, own } = await setUpTargets([
    ...EACH_ROLE,
    ...ROLES.map((role) => ({ organisation: role, workspace: role, staff: false })),
  ])
  await inParallel(people, async (person) => {
    const { organisation, workspace, staff } = person.effectiveRoles as EffectiveRoles
    const { body } = await person.send('GET', '/api/v2/me')
    const listed = (list: { id: string; role: string; capabilities: string[] }[]) =>
      list.map(({ id, role, capabilities }) => ({ id, role, capabilities: capabilities.toSorted() }))
    const wanted = (id: string, role: Role | null, table: Record<string, string>) =>
      role === null ? [] : [{ id, role, capabilities: capabilitiesOf(table, role).toSorted() }]
    assert.equal(body.staff, staff)
    assert.deepEqual(listed(body.organisations), wanted(own.oid, organisation, ORGANISATION_CAPABILITIES))
    assert.deepEqual(listed(body.workspaces), wanted(own.wid, workspace, WORKSPACE_CAPABILITIES))
    const all = await person.send('GET', '/api/v2/organisations')
    const ids = all.body.data.map(({ id }: { id: string }) => id)
    assert.deepEqual(ids, organisation === null ? [] : [own.oid], 'staff, too, list only their own')
  })
})

test('HEAD gets the status of GET on every route that reads, and no body', async () => {
  const callers = ['anonymous', NO_ROLES, { ...NO_ROLES, workspace: 'owner' }, STAFF] as const
  const { people, own } = await setUpTargets([...callers])
  const cells = ROUTES.filter(isSafe).flatMap((route) => people.map((person) => ({ route, person })))
  const wrong: string[] = []
  await inParallel(cells, async ({ route, person }) => {
    const wanted = (await call(person, route, own)).status
    const timeout = pause(10_000, null, { ref: false })
    const reply = await Promise.race([person.send('HEAD', pathOf(route, own)), timeout])
    if (reply?.status !== wanted || reply.text !== '')
      wrong.push(
        `HEAD of ${route.name}, ${describeCaller(person.effectiveRoles)}: ${reply?.status}, not ${wanted}`,
      )
  })
  assert.deepEqual(wrong, [])
})

/** `printRoutes` draws a tree: four characters per level, then the next part of the path and its methods. */
function registeredRoutes(): { method: string; url: string }[] {
  const parents: string[] = []
  const lines = backend.app.printRoutes({ commonPrefix: false }).split('\n')
  return lines.flatMap((line) => {
    const match = /^([│ ]*)[├└]── (\S+) \(([A-Z, ]+)\)/.exec(line)
    assert.ok(match || line.trim() === '', `unexpected line of printRoutes: ${line}`)
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

const KNOWN_ROUTES = [...ROUTES, ...OTHER_ROUTES]

function routeNamed(name: string): Pick<Route, 'name' | 'success'> {
  const route = KNOWN_ROUTES.find((one) => one.name === name)
  assert.ok(route, name)
  return route
}

test('statement.ts lists every route of the service, and no other', async () => {
  const registered = registeredRoutes()
  assert.ok(registered.length > ROUTES.length)
  const names = new Set(registered.map(named))
  for (const { name } of KNOWN_ROUTES) assert.ok(names.has(name), `${name} is not in the service`)

  const known = new Set(KNOWN_ROUTES.map((route) => route.name))
  const tenant = await seedTenant(backend)
  for (const route of registered) {
    const name = named(route)
    if (known.has(name)) continue
    if (route.method === 'HEAD' && known.has(name.replace('HEAD', 'GET'))) continue
    // Public: preflights, everything outside the API (pages and their files), and the files of the page with the API reference.
    if (/^OPTIONS \*$|^(GET|HEAD) (\/(?!api\/)|\/api\/docs\/)/.test(name)) continue
    // Staff see the most: a route that is 404 or 405 for them only catches unknown paths and methods.
    const { status } = await staff.send(route.method, pathOf({ name }, tenant).replace('*', 'x'))
    assert.ok([404, 405].includes(status), `${name} is missing in statement.ts: it responds with ${status}`)
  }
})

test('statement.ts lists every route of the OpenAPI document, with a documented status', async () => {
  const { paths } = (await (await fetch(`${backend.url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
  }
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { responses }] of Object.entries(operations)) {
      const route = routeNamed(`${method.toUpperCase()} ${path}`)
      assert.ok(String(route.success) in responses, `${route.name} does not document ${route.success}`)
    }
  }
})
