import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  describe,
  everything,
  type Ids,
  inParallel,
  newId,
  noRoles,
  type Person,
  personOf,
  seedTenant,
  settle,
  withoutReadings,
} from './fixtures.ts'
import { validBody } from './requests.ts'
import {
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
  type Caller,
  type EffectiveRoles,
  expected,
  isGated,
  ROLES,
  ROUTES,
  type Route,
  TIER,
  TIERS,
  type Tier,
} from './statement.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const GATED = ROUTES.filter(isGated)
const LOW: Tier[] = ['free', 'innovator']
const HIGH: Tier[] = ['changemaker', 'guardian']
const STAFF: EffectiveRoles = { ...noRoles, staff: true }
/** Each role alone, equal roles in both, and staff who hold one as well. */
const CAST: Caller[] = [
  ...EACH_ROLE,
  ...ROLES.map((role) => ({ organisation: role, workspace: role, staff: false })),
  { organisation: 'owner', workspace: 'owner', staff: true },
]
/** Callers that can manage webhooks as documented. */
const CAPABLE: EffectiveRoles[] = [
  STAFF,
  { ...noRoles, workspace: 'owner' },
  { ...noRoles, workspace: 'admin' },
]

/** Ids below the project that are none, where a path has any. */
const withoutSub = (ids: Ids): Ids => ({ ...ids, webhook: newId(), did: newId(), replay_id: newId() })

test('the tier of the workspace decides after the capability and before what the project holds', async (t) => {
  assert.equal(GATED.length, 17)
  const wrong: string[] = []
  let count = 0
  for (const tier of TIERS) {
    const { people, idsOf } = await setUpTargets(service, CAST, tier)
    const before = withoutReadings(await everything(service.backend))
    const cells = GATED.flatMap((route) =>
      people.flatMap((person) =>
        (['own', 'foreign', 'deleted'] as const).flatMap((target) =>
          [true, false].map((subExists) => ({ route, person, target, subExists })),
        ),
      ),
    )
    await inParallel(cells, async ({ route, person, target, subExists }) => {
      const ids = idsOf(target, person)
      const wanted = expected(route, person.effectiveRoles, target, { tier, gates: true, subExists })
      const reply = await call(person, route, subExists ? ids : withoutSub(ids), probeOf(route, wanted))
      const fault = mismatch(reply, wanted ?? passed(route))
      const what = subExists ? target : `${target}, of which nothing is there`
      if (fault) wrong.push(`${route.name}, ${what}, ${tier}, ${describe(person.effectiveRoles)}: ${fault}`)
    })
    const after = withoutReadings(await everything(service.backend))
    assert.deepEqual(after, before, `nothing was changed on ${tier}`)
    count += cells.length
  }
  t.diagnostic(`${count} cells over HTTP`)
  assert.deepEqual(wrong, [])
})

/** A valid request of somebody who may, to a place of its own. */
async function attempt(on: TestService, route: Route, effectiveRoles: EffectiveRoles, tier: Tier) {
  const place = await seedTenant(on.backend, { tier })
  const person = await personOf(on.backend, on.client, effectiveRoles)
  await settle(on.backend, [person], place)
  return call(person, route, place, validBody(route, place.oid))
}

async function attemptAll(
  on: TestService,
  tiers: Tier[],
  wantedOf: (route: Route) => Parameters<typeof mismatch>[1],
) {
  const wrong: string[] = []
  const cells = GATED.flatMap((route) =>
    CAPABLE.flatMap((effectiveRoles) => tiers.map((tier) => ({ route, effectiveRoles, tier }))),
  )
  await inParallel(cells, async ({ route, effectiveRoles, tier }) => {
    const fault = mismatch(await attempt(on, route, effectiveRoles, tier), wantedOf(route))
    if (fault) wrong.push(`${route.name}, ${tier}, ${describe(effectiveRoles)}: ${fault}`)
  })
  assert.deepEqual(wrong, [])
}

test('below Changemaker every webhook operation is refused to every role that holds the capability, and to staff', () =>
  attemptAll(service, LOW, () => TIER))

test('on Changemaker and on Guardian every webhook operation works for every role that holds the capability, and for staff', () =>
  attemptAll(service, HIGH, (route) => ({ status: route.success })))

test('with TIER_GATES=off every webhook operation works on every tier', async () => {
  const open = await startTestService({ tierGates: false })
  try {
    await attemptAll(open, LOW, (route) => ({ status: route.success }))
  } finally {
    await open.close()
  }
})

test('a tier that staff set counts at the very next request, up as well as down', async () => {
  const place = await seedTenant(service.backend, { tier: 'free' })
  const [owner, staff] = (await createPeople(service, [{ ...noRoles, workspace: 'owner' }, STAFF])) as [
    Person,
    Person,
  ]
  await settle(service.backend, [owner, staff], place)
  const reads = GATED.filter(({ name }) => name.startsWith('GET '))
  for (const tier of ['changemaker', 'innovator', 'guardian', 'free'] as const) {
    const set = await staff.send('PUT', `/api/v2/admin/workspaces/${place.wid}/tier`, {
      tier,
      reason: 'Because',
    })
    assert.equal(set.status, 200)
    for (const route of reads) {
      for (const person of [owner, staff]) {
        const wanted = expected(route, person.effectiveRoles, 'own', { ...DEFAULT_STATE, tier })
        const fault = mismatch(await call(person, route, place), wanted ?? passed(route))
        assert.equal(fault, undefined, `${route.name}, ${tier}, ${describe(person.effectiveRoles)}`)
      }
    }
  }
})

test('staff see and disable the webhooks of every tier: the gate is for what a workspace pays for', async () => {
  const [staff] = (await createPeople(service, [STAFF])) as [Person]
  for (const tier of TIERS) {
    const { webhook } = await seedTenant(service.backend, { tier })
    const listed = await staff.send('GET', '/api/v2/admin/webhooks?limit=200')
    assert.ok(
      listed.body.data.some(({ id }: { id: string }) => id === webhook),
      tier,
    )
    const disabled = await staff.send('POST', `/api/v2/admin/webhooks/${webhook}/disable`, {
      reason: 'Because',
    })
    assert.deepEqual([disabled.status, disabled.body.health.disabled_reason], [200, 'staff'], tier)
  }
})
