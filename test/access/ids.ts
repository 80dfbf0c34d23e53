import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { newId } from '../../platform/ids.ts'
import { newUser } from '../support/backend.ts'
import {
  allIds,
  comparable,
  describeCaller,
  everything,
  type Ids,
  inParallel,
  NO_ROLES,
  STAFF,
  seedTenant,
  seedWebhooks,
} from './fixtures.ts'
import { INVALID_BODY, idNamesOf } from './requests.ts'
import {
  anyNotFound,
  backend,
  call,
  DEFAULT_STATE,
  EACH_CALLER,
  granted,
  mismatch,
  moveProject,
  probeOf,
  setUpTargets,
  type TestTargets,
} from './service.ts'
import { expected, NOT_FOUND, ROUTES, type Route } from './statement.ts'

/** Ids of a path that do not exist there, by description. */
type Absent = Record<string, Partial<Ids>>

/** Callers with access to the route get 404, others the same response as always, and all 404 are equal. */
async function compareAbsent(
  t: TestContext,
  { people, idsOf }: TestTargets,
  routes: Route[],
  absentIn: (route: Route) => Absent,
): Promise<void> {
  const before = await everything(backend)
  const cells = routes.flatMap((route) =>
    Object.entries(absentIn(route)).flatMap(([what, ids]) =>
      people.map((person) => ({ route, what, ids, person })),
    ),
  )
  const wrong: string[] = []
  const notFound = new Map([[comparable(await anyNotFound()), 'an organisation']])
  await inParallel(cells, async ({ route, person, what, ids }) => {
    const wanted = expected(route, person.effectiveRoles, 'own', { ...DEFAULT_STATE, subExists: false })
    const reply = await call(person, route, { ...idsOf('own', person), ...ids }, probeOf(route, wanted))
    const fault = mismatch(reply, wanted ?? granted(route))
    const cell = `${route.name}, ${what}, ${describeCaller(person.effectiveRoles)}`
    if (fault) wrong.push(`${cell}: ${fault}`)
    if (reply.status === 404) notFound.set(comparable(reply), cell)
  })
  t.diagnostic(`${cells.length} cells over HTTP`)
  assert.deepEqual(wrong, [])
  assert.equal(notFound.size, 1, `different 404 responses:\n${[...notFound].join('\n')}`)
  assert.deepEqual(await everything(backend), before, 'rejected requests changed nothing')
}

const withSub = (...subs: Route['sub'][]) => ROUTES.filter(({ sub }) => sub && subs.includes(sub))

test('reports a missing member only to callers who can manage members', async (t) => {
  const targets = await setUpTargets(EACH_CALLER)
  const odd = ['not-a-uuid', '%00', '%27', '%C3%A9', '%F0%9F%92%A9', 'x'.repeat(400)]
  const ids = [newUser(), targets.foreign.user_id, ...odd]
  const absent = Object.fromEntries(ids.map((user_id) => [user_id, { user_id }]))
  await compareAbsent(t, targets, withSub('member'), () => absent)
})

test('reports a missing invitation only to callers who can manage members', async (t) => {
  const targets = await setUpTargets(EACH_CALLER)
  const { own, foreign } = targets
  const expired = newId()
  await backend.database.pool.query(
    `insert into invitations (id, organisation_id, workspace_id, email, role, invited_by, expires_at)
     values ($1, $2, $3, 'late@example.com', 'member', 'somebody', now())`,
    [expired, own.oid, own.wid],
  )
  await compareAbsent(t, targets, withSub('invitation'), () => ({
    unknown: { iid: newId() },
    'of another organisation': { iid: foreign.iid },
    expired: { iid: expired },
    'the id of the workspace': { iid: own.wid },
    malformed: { iid: 'not-a-uuid' },
  }))
})

test('reports a missing export only to callers who can export', async (t) => {
  const targets = await setUpTargets(EACH_CALLER)
  const { own, foreign } = targets
  const expired = newId()
  await backend.database.pool.query(
    'insert into exports (id, workspace_id, audio, expires_at) values ($1, $2, true, now())',
    [expired, own.wid],
  )
  await compareAbsent(t, targets, withSub('export'), () => ({
    unknown: { eid: newId() },
    'of another workspace': { eid: foreign.eid },
    expired: { eid: expired },
    'the id of the workspace': { eid: own.wid },
    malformed: { eid: 'not-a-uuid' },
  }))
})

test('reports a missing segment only to callers who can read or change conversations', async (t) => {
  const targets = await setUpTargets(EACH_CALLER)
  await compareAbsent(t, targets, withSub('segment'), () => ({
    unknown: { sid: newId() },
    'of another conversation': { sid: targets.foreign.sid },
    'the id of the conversation': { sid: targets.own.cid },
    malformed: { sid: 'not-a-uuid' },
  }))
})

test('reports a missing webhook, delivery or replay only to callers who can manage webhooks', async (t) => {
  const targets = await setUpTargets(EACH_CALLER)
  const { own, foreign } = targets
  const neighbour = await seedTenant(backend)
  await moveProject(neighbour.pid, own.wid)
  const [deleted, second] = [newWebhookIds(), newWebhookIds()]
  await seedWebhooks(backend, [
    { pid: own.pid, ...deleted, isDeleted: true },
    { pid: own.pid, ...second },
  ])
  const ofWebhook = ({ webhook, did, replay_id }: WebhookIds) => ({ webhook, did, replay_id })
  const belowWebhook = ({ did, replay_id }: WebhookIds) => ({ did, replay_id })
  const webhooks: Absent = {
    'of another project of the workspace': ofWebhook(neighbour),
    'of another project, with a delivery of this one': { webhook: neighbour.webhook },
    'of another organisation': ofWebhook(foreign),
    deleted,
    'deleted, with a delivery of an existing one': { webhook: deleted.webhook },
    unknown: { webhook: newId() },
    'the id of the project': { webhook: own.pid },
    malformed: { webhook: 'not-a-uuid' },
  }
  const belowWebhooks: Absent = {
    'of another webhook': belowWebhook(second),
    'of a deleted webhook': belowWebhook(deleted),
    'of a webhook of another organisation': belowWebhook(foreign),
    swapped: { did: own.replay_id, replay_id: own.did },
    'unknown below a webhook': belowWebhook(newWebhookIds()),
    'malformed below a webhook': { did: 'not-a-uuid', replay_id: 'not-a-uuid' },
  }
  const routes = ROUTES.filter(({ requires, sub }) => requires.kind === 'project' && sub && sub !== 'segment')
  await compareAbsent(t, targets, routes, ({ sub }) =>
    sub === 'webhook' ? webhooks : { ...webhooks, ...belowWebhooks },
  )
})

type WebhookIds = Pick<Ids, 'webhook' | 'did' | 'replay_id'>
const newWebhookIds = (): WebhookIds => ({ webhook: newId(), did: newId(), replay_id: newId() })

const ODD_IDS = [
  ...'0 - null %00 %27 %C3%A9 %zz %C3 ..%2f.. %2e%2e .. . 1%27%20or%20%271%27=%271'.split(' '),
  '{019a0000-0000-7000-8000-000000000000}',
  '019a000000007000800000000000000',
  '019a0000-0000-7000-8000-00000000000g',
  '%20019a0000-0000-7000-8000-000000000000',
  '019a0000-0000-7000-8000-000000000000%0a',
  'x'.repeat(499),
]
/** Longer than the router accepts by default, where it would respond before any check. */
const OVERLONG_IDS = ['x'.repeat(501), 'x'.repeat(5000)]

test('an id that no record can have gets the same 404 as a record that does not exist', async (t) => {
  const { people, own } = await setUpTargets([STAFF, NO_ROLES])
  const cells = ROUTES.flatMap((route) =>
    idNamesOf(route).flatMap((name) =>
      people
        .filter(
          ({ effectiveRoles }) => expected(route, effectiveRoles, 'unknown', DEFAULT_STATE)?.status === 404,
        )
        .flatMap((person) =>
          // Staff have access to every record, so that only the id can be the reason of a 404.
          [
            newId(),
            ...(person.effectiveRoles === STAFF ? ODD_IDS : ODD_IDS.slice(0, 3)),
            ...OVERLONG_IDS,
          ].map((id) => ({ route, person, name, id })),
        ),
    ),
  )
  const wrong: string[] = []
  const seen = new Map<string, string>()
  await inParallel(cells, async ({ route, person, name, id }) => {
    const reply = await call(person, route, { ...own, [name]: id }, probeOf(route, NOT_FOUND))
    const fault = mismatch(reply, NOT_FOUND)
    const cell = `${route.name}, ${name} ${id.slice(0, 40)}, ${describeCaller(person.effectiveRoles)}`
    if (fault) wrong.push(`${cell}: ${fault}`)
    seen.set(comparable(reply), cell)
  })
  t.diagnostic(`${cells.length} cells over HTTP`)
  assert.deepEqual(wrong, [])
  assert.equal(seen.size, 1, [...seen].slice(0, 3).join('\n'))
})

test('a path in which every id is odd gets the same 404', async () => {
  const { people } = await setUpTargets([STAFF, NO_ROLES])
  const routes = ROUTES.filter(({ requires, sub }) => requires.kind === 'project' && sub && sub !== 'segment')
  const responses = new Set([comparable(await anyNotFound())])
  for (const route of routes)
    for (const person of people)
      for (const id of [newId(), '%00', '..', 'x'.repeat(501)])
        responses.add(comparable(await call(person, route, allIds(id), INVALID_BODY)))
  assert.equal(responses.size, 1, [...responses].join('\n'))
})
