import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { newUser } from '../support/backend.ts'
import {
  allIds,
  describe,
  everything,
  type Ids,
  inParallel,
  newId,
  noRoles,
  type SeededTenant,
  seedTenant,
  seedWebhook,
  trace,
} from './fixtures.ts'
import { idNamesOf, PROBE } from './requests.ts'
import {
  anyNotFound,
  call,
  DEFAULT_STATE,
  EACH_ROLE,
  mismatch,
  moveProject,
  passed,
  probeOf,
  setUpTargets,
  startTestService,
  type TestService,
  type TestTargets,
} from './setup.ts'
import { expected, NOT_FOUND, ROUTES, type Route } from './statement.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

/** Some ids of a path that do not belong there, and how to call them. */
interface Absent {
  what: string
  ids: Partial<Ids>
}

/** Callers with access to the route get 404, others the same as always, and all 404 are equal. */
async function compareAbsent(
  t: TestContext,
  { people, idsOf }: TestTargets,
  pairs: { route: Route; absent: Absent }[],
): Promise<void> {
  const before = await everything(service.backend)
  const cells = pairs.flatMap((pair) => people.map((person) => ({ ...pair, person })))
  const wrong: string[] = []
  const notFound = new Map([[trace(await anyNotFound(service)), 'an organisation']])
  await inParallel(cells, async ({ route, person, absent }) => {
    const wanted = expected(route, person.effectiveRoles, 'own', { ...DEFAULT_STATE, subExists: false })
    const reply = await call(
      person,
      route,
      { ...idsOf('own', person), ...absent.ids },
      probeOf(route, wanted),
    )
    const fault = mismatch(reply, wanted ?? passed(route))
    const cell = `${route.name}, ${absent.what}, ${describe(person.effectiveRoles)}`
    if (fault) wrong.push(`${cell}: ${fault}`)
    if (reply.status === 404) notFound.set(trace(reply), cell)
  })
  t.diagnostic(`${cells.length} cells over HTTP`)
  assert.deepEqual(wrong, [])
  assert.equal(notFound.size, 1, `one 404 for all:\n${[...notFound].join('\n')}`)
  assert.deepEqual(await everything(service.backend), before, 'nothing was changed by what was refused')
}

test('a member who is not there is not found, for those who may manage members; others learn nothing', async (t) => {
  const stage = await setUpTargets(service, EACH_ROLE)
  const { foreign } = stage
  const absent = [
    newUser(),
    foreign.user_id,
    'not-a-uuid',
    '%00',
    '%27',
    '%C3%A9',
    '%F0%9F%92%A9',
    'x'.repeat(400),
  ]
  const pairs = ROUTES.filter(({ sub }) => sub === 'member').flatMap((route) =>
    absent.map((user_id) => ({ route, absent: { what: user_id, ids: { user_id } } })),
  )
  await compareAbsent(t, stage, pairs)
})

test('an export that is not there is not found, for those who may export; others learn nothing', async (t) => {
  const stage = await setUpTargets(service, EACH_ROLE)
  const expired = newId()
  await service.backend.database.pool.query(
    'insert into exports (id, workspace_id, audio, expires_at) values ($1, $2, true, now())',
    [expired, stage.own.wid],
  )
  const absent = [
    { what: 'unknown', ids: { eid: newId() } },
    { what: 'of another workspace', ids: { eid: stage.foreign.eid } },
    { what: 'expired', ids: { eid: expired } },
    { what: 'the id of the workspace', ids: { eid: stage.own.wid } },
    { what: 'malformed', ids: { eid: 'not-a-uuid' } },
  ]
  const pairs = ROUTES.filter(({ sub }) => sub === 'export').flatMap((route) =>
    absent.map((one) => ({ route, absent: one })),
  )
  await compareAbsent(t, stage, pairs)
})

test('a webhook, delivery or replay that is not there is not found, for those who may manage webhooks; others learn nothing', async (t) => {
  const stage = await setUpTargets(service, EACH_ROLE)
  const absent = await elsewhere(stage)
  const pairs = ROUTES.filter(({ asks, sub }) => asks.of === 'project' && sub).flatMap((route) => [
    ...absent.webhooks.map((one) => ({ route, absent: one })),
    ...(route.sub === 'webhook' ? [] : absent.ofWebhooks).map((one) => ({ route, absent: one })),
  ])
  await compareAbsent(t, stage, pairs)
})

/** Everything that the project in the path does not have, though most of it exists somewhere. */
async function elsewhere({
  own,
  foreign,
}: TestTargets): Promise<{ webhooks: Absent[]; ofWebhooks: Absent[] }> {
  const { backend } = service
  const neighbour = await seedTenant(backend)
  await moveProject(backend, neighbour.pid, own.wid)
  const deleted = await seedWebhook(backend, own.pid, { deleted: true })
  const second = await seedWebhook(backend, own.pid)
  const theirs = ({ webhook, did, replay_id }: Pick<SeededTenant, 'webhook' | 'did' | 'replay_id'>) => ({
    webhook,
    did,
    replay_id,
  })
  const webhooks = [
    { what: 'of another project of the workspace', ids: theirs(neighbour) },
    { what: 'of another project, with a delivery of this one', ids: { webhook: neighbour.webhook } },
    { what: 'of another organisation', ids: theirs(foreign) },
    { what: 'deleted', ids: deleted },
    { what: 'deleted, with a delivery of a living one', ids: { webhook: deleted.webhook } },
    { what: 'unknown', ids: theirs({ ...own, webhook: newId() }) },
    { what: 'the id of the project', ids: { webhook: own.pid } },
    { what: 'malformed', ids: { webhook: 'not-a-uuid' } },
  ]
  const ofWebhooks = [
    { what: 'of another webhook', ids: { did: second.did, replay_id: second.replay_id } },
    { what: 'of a deleted webhook', ids: { did: deleted.did, replay_id: deleted.replay_id } },
    { what: 'of a webhook elsewhere', ids: { did: foreign.did, replay_id: foreign.replay_id } },
    { what: 'exchanged', ids: { did: own.replay_id, replay_id: own.did } },
    { what: 'unknown below a webhook', ids: { did: newId(), replay_id: newId() } },
    { what: 'malformed below a webhook', ids: { did: 'not-a-uuid', replay_id: 'not-a-uuid' } },
  ]
  return { webhooks, ofWebhooks }
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

/** In each place of each path where an id stands, while all the others are right. */
async function compareIds(t: TestContext, odd: string[]): Promise<void> {
  const { people, own } = await setUpTargets(service, [{ ...noRoles, staff: true }, noRoles])
  const cells = ROUTES.flatMap((route) =>
    idNamesOf(route).flatMap((name) =>
      people
        .filter(
          ({ effectiveRoles }) => expected(route, effectiveRoles, 'unknown', DEFAULT_STATE)?.status === 404,
        )
        .flatMap((person) => [newId(), ...odd].map((id) => ({ route, person, name, id }))),
    ),
  )
  const wrong: string[] = []
  const seen = new Map<string, string>()
  await inParallel(cells, async ({ route, person, name, id }) => {
    const reply = await call(person, route, { ...own, [name]: id }, probeOf(route, NOT_FOUND))
    const fault = mismatch(reply, NOT_FOUND)
    const cell = `${route.name}, ${name} ${id.slice(0, 40)}, ${describe(person.effectiveRoles)}`
    if (fault) wrong.push(`${cell}: ${fault}`)
    if (!seen.has(trace(reply))) seen.set(trace(reply), cell)
  })
  t.diagnostic(`${cells.length} cells over HTTP`)
  assert.deepEqual(wrong, [])
  const first = [...seen].slice(0, 3).map(([answer, cell]) => `${cell}: ${answer}`)
  assert.equal(seen.size, 1, first.join('\n'))
}

test('an id that is odd in every place of the path at once is the same 404', async () => {
  const { people } = await setUpTargets(service, [{ ...noRoles, staff: true }, noRoles])
  const routes = ROUTES.filter(({ asks, sub }) => asks.of === 'project' && sub)
  const answers = new Set([trace(await anyNotFound(service))])
  for (const route of routes)
    for (const person of people)
      for (const id of [newId(), '%00', '..', 'x'.repeat(501)])
        answers.add(trace(await call(person, route, allIds(id), PROBE)))
  assert.equal(answers.size, 1, [...answers].join('\n'))
})
