import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { newUser, type Reply, startBackend, type TestBackend } from '../support/backend.ts'
import { type Client, clientOf } from './client.ts'
import { isSafe, methodOf, PROBE, pathOf, targetKeyOf, validBody } from './requests.ts'
import {
  CAPABILITY,
  type Caller,
  capabilitiesOf,
  expected,
  mayHandle,
  NOT_FOUND,
  ORGANISATION_CAPABILITIES,
  type Refusal,
  ROLES,
  ROUTES,
  type Role,
  type Route,
  rank,
  STANDINGS,
  type Standing,
  TARGETS,
  type Target,
  WORKSPACE_CAPABILITIES,
} from './statement.ts'
import {
  describe,
  everything,
  type Ids,
  inParallel,
  introduce,
  inviteAll,
  newId,
  nobody,
  type Person,
  type Place,
  personOf,
  seedPlace,
  settle,
  trace,
} from './world.ts'

const WORLD = { tier: 'free', gates: true, subExists: true } as const
/** Every pair of roles; that staff are above all of them is told by the pure rule for each pair, and here for some. */
const EVERYBODY: Caller[] = [
  'anonymous',
  ...STANDINGS.filter((standing) => !standing.staff),
  { ...nobody, staff: true },
  { organisation: 'observer', workspace: null, staff: true },
  { organisation: null, workspace: 'billing', staff: true },
]
/** Each role once on its own, where a fresh world per cell would be too slow for all combinations. */
const EACH_ROLE: Caller[] = [
  'anonymous',
  nobody,
  { ...nobody, staff: true },
  ...ROLES.map((role) => ({ ...nobody, organisation: role })),
  ...ROLES.map((role) => ({ ...nobody, workspace: role })),
]

let backend: TestBackend
let client: Client
let requests = 0
before(async () => {
  backend = await startBackend()
  client = clientOf(backend.url)
})
after(async () => {
  client.close()
  await backend.stop()
  console.log(`# ${requests} requests of the matrix over HTTP`)
})

async function cast(standings: Caller[]): Promise<Person[]> {
  const people = await Promise.all(standings.map((standing) => personOf(backend, client, standing)))
  await introduce(backend, people)
  return people
}

async function call(person: Person, route: Route, ids: Ids, body: unknown): Promise<Reply> {
  requests++
  return person.send(methodOf(route), pathOf(route, ids), body)
}

/** What is wrong with an answer, if anything. */
function judge(reply: Reply, wanted: { status: number; code?: string }): string | undefined {
  if (reply.status === wanted.status && reply.body?.code === wanted.code) return undefined
  return `${reply.status} ${reply.body?.code ?? ''} instead of ${wanted.status} ${wanted.code ?? ''}`
}

/** Access was given: reading works, and a change gets as far as its body, which is refused. */
const passed = (route: Route) =>
  isSafe(route) ? { status: route.success } : { status: 422, code: 'invalid_input' }

// An invitation is looked for together with its body, so that only an empty one shows the verdict.
const probeOf = (route: Route, wanted: Refusal): unknown =>
  isSafe(route) || (route.asks.of === 'invitation' && wanted) ? undefined : PROBE

interface Stage {
  people: Person[]
  own: Place
  idsOf(target: Target, person: Person): Ids
}

/** One cast with the same standing towards a living and a deleted target, and none towards a third. */
async function setTheStage(standings: Caller[]): Promise<Stage> {
  const [own, elsewhere, foreign, deleted] = await Promise.all([
    seedPlace(backend),
    seedPlace(backend),
    seedPlace(backend),
    seedPlace(backend, { deleted: true }),
  ])
  const people = await cast(standings)
  await settle(backend, people, own)
  await settle(backend, people, deleted)
  // What holds them lives on: only the workspace and the project themselves are gone.
  await backend.database.pool.query('update workspaces set organisation_id = $2 where id = $1', [
    deleted.wid,
    own.oid,
  ])
  await backend.database.pool.query('update projects set workspace_id = $2 where id = $1', [
    deleted.pid,
    own.wid,
  ])
  const pending = await inviteAll(backend, people, elsewhere)
  const answered = await inviteAll(backend, people, elsewhere, 'declined')

  const idsOf = (target: Target, person: Person): Ids => {
    if (target === 'own') return { ...own, id: pending.get(person) as string }
    if (target === 'foreign') return foreign
    if (target === 'deleted') return { ...deleted, id: answered.get(person) as string }
    const id = target === 'unknown' ? newId() : 'not-a-uuid'
    return { oid: id, wid: id, pid: id, id, user_id: own.user_id }
  }
  return { people, own, idsOf }
}

test('every route answers every standing towards every kind of target as the contract says', async (t) => {
  const { people, idsOf } = await setTheStage(EVERYBODY)
  const before = await everything(backend)
  const cells = ROUTES.flatMap((route) => {
    const targets = targetKeyOf(route) === null ? (['own'] as const) : TARGETS
    return targets.flatMap((target) =>
      people
        .filter((person) => isTelling(route, target, person.standing))
        .map((person) => ({ route, person, target })),
    )
  })
  const wrong: string[] = []
  const notFound = new Map<string, string>()

  await inParallel(cells, async ({ route, person, target }) => {
    const wanted = expected(route, person.standing, target, WORLD)
    const reply = await call(person, route, idsOf(target, person), probeOf(route, wanted))
    const fault = judge(reply, wanted ?? passed(route))
    const cell = `${route.name}, ${target}, ${describe(person.standing)}`
    if (fault) wrong.push(`${cell}: ${fault}`)
    if (reply.status === 404) notFound.set(trace(reply), cell)
  })

  t.diagnostic(`${cells.length} cells over HTTP`)
  assert.deepEqual(wrong, [])
  assert.equal(notFound.size, 1, `one 404 for all:\n${[...notFound].join('\n')}`)
  assert.deepEqual(await everything(backend), before, 'nothing was changed by what was refused')
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
  const elsewhere = await seedPlace(backend)
  const worked = new Set<string>()
  const wrong: string[] = []
  const cells = ROUTES.flatMap((route) => EACH_ROLE.map((standing) => ({ route, standing })))

  await inParallel(cells, async ({ route, standing }) => {
    const place = await seedPlace(backend)
    const person = await personOf(backend, client, standing)
    await settle(backend, [person], place)
    if (route.asks.of === 'invitation') {
      await introduce(backend, [person])
      place.id = (await inviteAll(backend, [person], elsewhere)).get(person) as string
    }
    const wanted = expected(route, standing, 'own', WORLD)
    const reply = await call(person, route, place, validBody(route, elsewhere.oid))
    const fault = judge(reply, wanted ?? { status: route.success })
    if (fault) wrong.push(`${route.name}, ${describe(standing)}: ${fault}`)
    if (!wanted) worked.add(route.name)

    const rows = await deedsOf(reply)
    if (wanted && rows !== 0)
      wrong.push(`${route.name}, ${describe(standing)}: refused, but in the audit log`)
    if (!wanted && isAudited(route, standing) && rows !== 1)
      wrong.push(`${route.name}, ${describe(standing)}: ${rows} rows in the audit log`)
  })

  t.diagnostic(`${cells.length} cells over HTTP, each in a world of its own`)
  assert.deepEqual(wrong, [])
  assert.deepEqual([...worked].toSorted(), ROUTES.map((route) => route.name).toSorted())
})

/** CONTRACT 7: "every staff action, role change, tier change and deletion writes one row". */
const isAudited = (route: Route, caller: Caller): boolean =>
  !isSafe(route) &&
  ((caller !== 'anonymous' && caller.staff) ||
    methodOf(route) === 'DELETE' ||
    route.name.includes('/members') ||
    route.name.includes('/admin/'))

async function deedsOf(reply: Reply): Promise<number> {
  const { rows } = await backend.database.pool.query('select 1 from audit_log where request_id = $1', [
    reply.headers.get('x-request-id'),
  ])
  return rows.length
}

test('a member who is not there is not found, for those who may manage members; others learn nothing', async (t) => {
  const { people, own, idsOf } = await setTheStage(EACH_ROLE)
  const foreigner = (await seedPlace(backend)).user_id
  const absent = [newUser(), foreigner, 'not-a-uuid', '%00', '%27', '%C3%A9', '%F0%9F%92%A9', 'x'.repeat(400)]
  const cells = ROUTES.filter((route) => route.sub === 'member').flatMap((route) =>
    people.flatMap((person) => absent.map((user_id) => ({ route, person, user_id }))),
  )
  const wrong: string[] = []
  const notFound = new Set<string>([trace(await anyNotFound(own))])
  await inParallel(cells, async ({ route, person, user_id }) => {
    const wanted = expected(route, person.standing, 'own', { ...WORLD, subExists: false })
    const reply = await call(person, route, { ...idsOf('own', person), user_id }, PROBE)
    const fault = judge(reply, wanted ?? passed(route))
    if (fault) wrong.push(`${route.name}, ${user_id}, ${describe(person.standing)}: ${fault}`)
    if (reply.status === 404) notFound.add(trace(reply))
  })
  t.diagnostic(`${cells.length} cells over HTTP`)
  assert.deepEqual(wrong, [])
  assert.equal(notFound.size, 1, [...notFound].join('\n'))
})

async function anyNotFound(own: Place): Promise<Reply> {
  const person = await personOf(backend, client, nobody)
  return person.send('GET', `/api/v2/organisations/${own.oid}`)
}

const ODD_IDS = [
  '0',
  '-',
  'null',
  '%00',
  '%27',
  '1%27%20or%20%271%27=%271',
  '{019a0000-0000-7000-8000-000000000000}',
  '019a000000007000800000000000000',
  '019a0000-0000-7000-8000-00000000000g',
  '%20019a0000-0000-7000-8000-000000000000',
  '019a0000-0000-7000-8000-000000000000%0a',
  '%C3%A9',
  '%zz',
  '%C3',
  '..%2f..',
  '%2e%2e',
  '..',
  '.',
  'x'.repeat(499),
]
/** Longer than the router reads by itself, which would answer them before any check. */
const OVERLONG_IDS = ['x'.repeat(501), 'x'.repeat(5000)]

test('an id that no record can have is the same 404 as a record that does not exist', (t) =>
  compareIds(t, ODD_IDS))

test('an id that is very long is the same 404 too', (t) => compareIds(t, OVERLONG_IDS))

async function compareIds(t: TestContext, odd: string[]): Promise<void> {
  const people = await cast([{ ...nobody, staff: true }, nobody])
  const routes = ROUTES.filter((route) => targetKeyOf(route) !== null && route.asks.of !== 'staff')
  const cells = routes.flatMap((route) =>
    people.flatMap((person) => [newId(), ...odd].map((id) => ({ route, person, id }))),
  )
  const wrong: string[] = []
  const seen = new Map<string, string>()
  await inParallel(cells, async ({ route, person, id }) => {
    const ids = { oid: id, wid: id, pid: id, id, user_id: newUser() }
    const reply = await call(person, route, ids, probeOf(route, NOT_FOUND))
    const fault = judge(reply, NOT_FOUND)
    const cell = `${route.name} ${id.slice(0, 40)}`
    if (fault) wrong.push(`${cell}: ${fault}`)
    if (!seen.has(trace(reply))) seen.set(trace(reply), cell)
  })
  t.diagnostic(`${cells.length} cells over HTTP`)
  assert.deepEqual(wrong, [])
  assert.equal(
    seen.size,
    1,
    [...seen]
      .slice(0, 3)
      .map(([answer, cell]) => `${cell}: ${answer}`)
      .join('\n'),
  )
}

test('what held a deleted thing takes it along: all of it is gone for its owner and for staff', async () => {
  const inAll: Standing = { organisation: 'owner', workspace: 'owner', staff: false }
  for (const [gone, kinds] of [
    ['DELETE /api/v2/organisations/{oid}', ['organisation', 'workspace', 'project']],
    ['DELETE /api/v2/workspaces/{wid}', ['workspace', 'project']],
    ['DELETE /api/v2/projects/{pid}', ['project']],
  ] as const) {
    const place = await seedPlace(backend)
    const people = await cast([inAll, { ...nobody, staff: true }])
    await settle(backend, people, place)
    const removed = await call(people[0] as Person, routeNamed(gone), place, undefined)
    assert.equal(removed.status, 204)
    const routes = ROUTES.filter(({ asks }) => (kinds as readonly string[]).includes(asks.of))
    const answers = new Set<string>()
    for (const route of routes)
      for (const person of people)
        answers.add(trace(await call(person, route, place, isSafe(route) ? undefined : PROBE)))
    answers.add(trace(await anyNotFound(place)))
    assert.equal(answers.size, 1, `${gone}: ${[...answers].join('\n')}`)
  }
})

/** One role of each rank. */
const RANKS: Role[] = ['owner', 'admin', 'member']

/** Who may manage members by some role, each with a place of their own so that they do not wait for each other. */
async function managers(): Promise<{ person: Person; standing: Standing; place: Place }[]> {
  const standings = STANDINGS.filter(({ organisation, workspace, staff }) => {
    const roles = [organisation, workspace]
    if (staff) return roles.every((role) => role === null)
    return (
      roles.every((role) => role === null || RANKS.includes(role)) && roles.some((role) => rank(role) > 0)
    )
  })
  return Promise.all(
    standings.map(async (standing) => {
      const [person, place] = await Promise.all([personOf(backend, client, standing), seedPlace(backend)])
      await settle(backend, [person], place)
      return { person, standing, place }
    }),
  )
}

test('nobody grants a role above their own, nor changes or removes somebody above them', async (t) => {
  const routes = ROUTES.filter((route) => route.name.includes('/members') && !isSafe(route))
  const wrong: string[] = []
  let cells = 0
  await inParallel(await managers(), async ({ person, standing, place }) => {
    const given = routes.filter((route) => !expected(route, standing, 'own', WORLD))
    const changes = given.flatMap((route) =>
      changesBy(route).map(({ from, to }) => ({ route, from, to, userId: newUser() })),
    )
    const others = changes.map(({ from, userId }) => ({
      userId,
      standing: { organisation: from, workspace: from, staff: false },
    }))
    await settle(backend, others, place)
    for (const { route, from, to, userId } of changes) {
      cells++
      const body = { role: to, ...(from ? {} : { user_id: userId }) }
      const reply = await call(person, route, { ...place, user_id: userId }, to ? body : undefined)
      const may = (!from || mayHandle(route, standing, from)) && (!to || mayHandle(route, standing, to))
      const fault = judge(reply, may ? { status: route.success } : CAPABILITY)
      if (fault) wrong.push(`${route.name} ${from} → ${to}, ${describe(standing)}: ${fault}`)
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

test('an invitation by e-mail address is a grant too: none above the own role', async (t) => {
  const routes = ROUTES.filter((route) => /^POST .*\/members$/.test(route.name))
  const wrong: string[] = []
  let cells = 0
  await inParallel(await managers(), async ({ person, standing, place }) => {
    for (const route of routes.filter((one) => !expected(one, standing, 'own', WORLD))) {
      for (const role of ROLES) {
        cells++
        const reply = await call(person, route, place, { email: `${newId()}@example.com`, role })
        const fault = judge(reply, mayHandle(route, standing, role) ? { status: 202 } : CAPABILITY)
        if (fault) wrong.push(`${route.name} ${role}, ${describe(standing)}: ${fault}`)
      }
    }
  })
  t.diagnostic(`${cells} cells over HTTP`)
  assert.deepEqual(wrong, [])
})

test('a person is told exactly what their roles give, and of nothing else', async () => {
  const { people, own } = await setTheStage([
    ...EACH_ROLE.slice(1),
    ...ROLES.map((role) => ({ organisation: role, workspace: role, staff: false })),
  ])
  await inParallel(people, async (person) => {
    const standing = person.standing as Standing
    const { body } = await person.send('GET', '/api/v2/me')
    const told = (list: { id: string; role: string; capabilities: string[] }[]) =>
      list.map(({ id, role, capabilities }) => ({ id, role, capabilities: capabilities.toSorted() }))
    const holding = (id: string, role: Role | null, table: Record<string, string>) =>
      role === null ? [] : [{ id, role, capabilities: capabilitiesOf(table, role).toSorted() }]
    assert.equal(body.staff, standing.staff)
    assert.deepEqual(
      told(body.organisations),
      holding(own.oid, standing.organisation, ORGANISATION_CAPABILITIES),
    )
    assert.deepEqual(told(body.workspaces), holding(own.wid, standing.workspace, WORKSPACE_CAPABILITIES))
    const mine = await person.send('GET', '/api/v2/organisations')
    const ids = mine.body.data.map(({ id }: { id: string }) => id)
    assert.deepEqual(ids, standing.organisation === null ? [] : [own.oid], 'staff too list only their own')
  })
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

function routeNamed(name: string): Route {
  const route = ROUTES.find((one) => one.name === name)
  assert.ok(route, name)
  return route
}

test('every route of the service is in the matrix, and the matrix names no other', async () => {
  const registered = registeredRoutes()
  assert.ok(registered.length > ROUTES.length)
  const names = new Set(registered.map(named))
  for (const { name } of ROUTES) assert.ok(names.has(name), `${name} is in the matrix but not in the service`)

  const inMatrix = new Set(ROUTES.map((route) => route.name))
  const place = await seedPlace(backend)
  // Staff see the most: what even they can't use is a filler that answers 404 or 405.
  const staff = await personOf(backend, client, { ...nobody, staff: true })
  for (const one of registered) {
    const name = named(one)
    if (inMatrix.has(name)) continue
    if (one.method === 'HEAD' && inMatrix.has(name.replace('HEAD', 'GET'))) continue
    // Preflights, and the files of the page that shows the reference: public by their nature.
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
