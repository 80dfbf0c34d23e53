import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { newId } from '../../platform/ids.ts'
import { newUser } from '../support/backend.ts'
import {
  describeCaller,
  everything,
  type Ids,
  inParallel,
  NO_ROLES,
  newPeople,
  newTargets,
  STAFF,
  seedTenant,
  startTestService,
  type TestService,
} from './fixtures.ts'
import { validBody } from './requests.ts'
import {
  backend,
  call,
  DEFAULT_STATE,
  EACH_CALLER,
  granted,
  mismatch,
  probeOf,
  service,
  setUpTargets,
  staff,
} from './service.ts'
import {
  type Caller,
  expected,
  isGated,
  ROLES,
  ROUTES,
  type Route,
  TIER,
  TIERS,
  type Tier,
} from './statement.ts'

const GATED = ROUTES.filter(isGated)
const LOW: Tier[] = ['free', 'innovator']
const HIGH: Tier[] = ['changemaker', 'guardian']
/** Each role alone, equal roles in both, and staff who have roles as well. */
const CALLERS: Caller[] = [
  ...EACH_CALLER,
  ...ROLES.map((role) => ({ organisation: role, workspace: role, staff: false })),
  { organisation: 'owner', workspace: 'owner', staff: true },
]
/** The documented callers who can manage webhooks. */
const CAPABLE = [STAFF, { ...NO_ROLES, workspace: 'owner' }, { ...NO_ROLES, workspace: 'admin' }] as const

const withoutSub = (ids: Ids): Ids => ({ ...ids, webhook: newId(), did: newId(), replay_id: newId() })

/** A sub-resource is looked up only in a target that the caller can reach. */
const SITUATIONS = [
  { target: 'own', subExists: true },
  { target: 'own', subExists: false },
  { target: 'foreign', subExists: true },
  { target: 'deleted', subExists: true },
] as const

/** The callers of targets in which a caller has no roles. routes.ts tests the others there. */
const ELSEWHERE: Caller[] = [
  'anonymous',
  NO_ROLES,
  { organisation: 'owner', workspace: 'owner', staff: false },
  STAFF,
]

const situationsOf = (route: Route, caller: Caller) =>
  SITUATIONS.filter(
    ({ target, subExists }) =>
      (subExists || route.sub) &&
      (target === 'own' || ELSEWHERE.some((one) => isDeepStrictEqual(one, caller))),
  )

test('checks the tier of the workspace after the capability and before sub-resources', async (t) => {
  assert.equal(GATED.length, 18)
  const wrong: string[] = []
  let count = 0
  for (const tier of TIERS) {
    const { people, idsOf } = await setUpTargets(CALLERS, tier)
    const before = await everything(backend, { withReads: false })
    const cells = GATED.flatMap((route) =>
      people.flatMap((person) =>
        situationsOf(route, person.effectiveRoles).map((situation) => ({
          route,
          person,
          ...situation,
        })),
      ),
    )
    await inParallel(cells, async ({ route, person, target, subExists }) => {
      const ids = idsOf(target, person)
      const wanted = expected(route, person.effectiveRoles, target, { tier, gates: true, subExists })
      const reply = await call(person, route, subExists ? ids : withoutSub(ids), probeOf(route, wanted))
      const fault = mismatch(reply, wanted ?? granted(route))
      const what = `${target}${subExists ? '' : ' without its sub-resource'}`
      if (fault)
        wrong.push(`${route.name}, ${what}, ${tier}, ${describeCaller(person.effectiveRoles)}: ${fault}`)
    })
    assert.deepEqual(
      await everything(backend, { withReads: false }),
      before,
      `nothing was changed on ${tier}`,
    )
    count += cells.length
  }
  t.diagnostic(`${count} cells over HTTP`)
  assert.deepEqual(wrong, [])
})

/** Sends a valid request of each capable caller, each in a new tenant. */
async function attemptAll(
  service: TestService,
  tiers: Tier[],
  wantedOf: (route: Route) => Parameters<typeof mismatch>[1],
) {
  const wrong: string[] = []
  const cells = GATED.flatMap((route) =>
    CAPABLE.flatMap((effectiveRoles) => tiers.map((tier) => ({ route, effectiveRoles, tier }))),
  )
  const targets = await newTargets(service, cells)
  await inParallel(targets, async ({ route, effectiveRoles, tier, person, tenant }) => {
    const fault = mismatch(await call(person, route, tenant, validBody(route, tenant.oid)), wantedOf(route))
    if (fault) wrong.push(`${route.name}, ${tier}, ${describeCaller(effectiveRoles)}: ${fault}`)
  })
  assert.deepEqual(wrong, [])
}

test('rejects every webhook operation below Changemaker for all who have the capability, and for staff', () =>
  attemptAll(service, LOW, () => TIER))

test('allows every webhook operation on Changemaker and Guardian for all who have the capability, and for staff', () =>
  attemptAll(service, HIGH, (route) => ({ status: route.success })))

test('applies a tier that staff set to the very next request, up and down', async () => {
  const tenant = await seedTenant(backend, { tier: 'free' })
  const [owner] = await newPeople(service, [{ ...NO_ROLES, workspace: 'owner' }], tenant)
  const reads = GATED.filter(({ name }) => name.startsWith('GET '))
  for (const tier of ['changemaker', 'innovator', 'guardian', 'free'] as const) {
    const body = { tier, reason: 'Because' }
    const set = await staff.send('PUT', `/api/v2/admin/workspaces/${tenant.wid}/tier`, body)
    assert.equal(set.status, 200)
    for (const route of reads) {
      for (const person of [owner, staff]) {
        const wanted = expected(route, person.effectiveRoles, 'own', { ...DEFAULT_STATE, tier })
        const fault = mismatch(await call(person, route, tenant), wanted ?? granted(route))
        assert.equal(fault, undefined, `${route.name}, ${tier}, ${describeCaller(person.effectiveRoles)}`)
      }
    }
  }
})

test('lets staff list and disable the webhooks of every tier', async () => {
  for (const tier of TIERS) {
    const { webhook } = await seedTenant(backend, { tier })
    const listed = await staff.send('GET', '/api/v2/admin/webhooks?limit=200')
    const ids = listed.body.data.map(({ id }: { id: string }) => id)
    assert.ok(ids.includes(webhook), tier)
    const body = { reason: 'Because' }
    const disabled = await staff.send('POST', `/api/v2/admin/webhooks/${webhook}/disable`, body)
    assert.deepEqual([disabled.status, disabled.body.health.disabled_reason], [200, 'staff'], tier)
  }
})

describe('a service without tier gates, where only staff create organisations', () => {
  let open: TestService
  before(async () => {
    open = await startTestService({ tierGates: false, organisationCreation: 'staff' })
  })
  after(() => open.close())

  test('allows every webhook operation on every tier', () =>
    attemptAll(open, LOW, (route) => ({ status: route.success })))

  test('reports that only staff create organisations before it reads the body', async () => {
    const caller = await open.backend.as(newUser())
    for (const body of [{ name: 'New' }, { surprise: true }]) {
      const reply = await caller.post('/api/v2/organisations', body)
      assert.deepEqual([reply.status, reply.body.code], [403, 'staff_required'])
    }
  })
})
