import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Access,
  authorize,
  organisationCapabilities,
  ROLES as PRODUCT_ROLES,
  TIERS as PRODUCT_TIERS,
  workspaceCapabilities,
} from '../../server/auth/index.ts'
import { describe } from './fixtures.ts'
import {
  type Asks,
  capabilitiesOf,
  expected,
  LOWEST_TIER,
  ORGANISATION_CAPABILITIES,
  ROLES,
  ROUTES,
  STANDINGS,
  type Standing,
  TIERS,
  type Tier,
  WORKSPACE_CAPABILITIES,
} from './statement.ts'

/** Every route there is, and every capability of the contract, so that routes to come are authorized already. */
const ASKED: { name: string; asks: Asks }[] = [
  ...ROUTES.map(({ name, asks }) => ({ name, asks })),
  ...Object.keys(ORGANISATION_CAPABILITIES).map((capability) => ({
    name: capability,
    asks: { of: 'organisation' as const, capability },
  })),
  ...Object.keys(WORKSPACE_CAPABILITIES).flatMap((capability) =>
    (['workspace', 'project'] as const).map((of) => ({
      name: `${capability} of a ${of}`,
      asks: { of, capability },
    })),
  ),
]

/** The same question in the product's words; undefined where its pure rule has no part (whose an invitation is). */
function toAccess(asks: Asks): Access | undefined {
  switch (asks.of) {
    case 'nobody':
      return { kind: 'public' }
    case 'anyone signed in':
      return { kind: 'signed_in' }
    case 'invitation':
      return undefined
    case 'staff':
      return { kind: 'staff' }
    case 'organisation':
      return {
        kind: 'organisation',
        capability: asks.capability,
        ...(asks.selfToo ? { orSelf: true } : {}),
      } as Access
    default: {
      const tier = asks.capability === null ? undefined : LOWEST_TIER[asks.capability]
      return {
        kind: asks.of,
        capability: asks.capability,
        ...(asks.organisersToo ? { orOrganisation: 'organisation:members' } : {}),
        ...(asks.selfToo ? { orSelf: true } : {}),
        ...(tier ? { tier } : {}),
      } as Access
    }
  }
}

const ask = (
  access: Access,
  standing: Standing,
  tier: Tier | null,
  exists: boolean,
  gates: boolean,
  self = false,
) =>
  authorize(
    access,
    exists || access.kind === 'staff'
      ? {
          staff: standing.staff,
          organisationRole: standing.organisation,
          workspaceRole: standing.workspace,
          tier: access.kind === 'workspace' || access.kind === 'project' ? tier : null,
          self,
        }
      : null,
    gates,
  )

test('every cell of the pure rule is as the contract says', (t) => {
  let cells = 0
  const wrong: string[] = []
  for (const { name, asks } of ASKED) {
    const access = toAccess(asks)
    if (!access) continue
    for (const standing of STANDINGS) {
      for (const tier of TIERS) {
        for (const exists of [true, false]) {
          for (const gates of [true, false]) {
            for (const self of [true, false]) {
              cells++
              const said = ask(access, standing, tier, exists, gates, self)
              const world = { tier, gates, subExists: true, self }
              const wanted =
                expected({ asks }, standing, exists ? 'own' : 'unknown', world)?.code ?? 'allowed'
              if (said !== wanted)
                wrong.push(
                  `${name}, ${describe(standing)}, ${tier}, ${exists ? 'found' : 'unknown'}, ${self ? 'self' : 'other'}: ${said}, not ${wanted}`,
                )
            }
          }
        }
      }
    }
  }
  t.diagnostic(`${cells} cells`)
  assert.deepEqual(wrong, [])
})

test('the roles and tiers are those of the contract, in its order', () => {
  assert.deepEqual(PRODUCT_ROLES, ROLES)
  assert.deepEqual(PRODUCT_TIERS, TIERS)
})

test('each role holds the capabilities of the contract and no other', () => {
  for (const role of ROLES) {
    assert.deepEqual(
      workspaceCapabilities(role).toSorted(),
      capabilitiesOf(WORKSPACE_CAPABILITIES, role).toSorted(),
      role,
    )
    assert.deepEqual(
      organisationCapabilities(role).toSorted(),
      capabilitiesOf(ORGANISATION_CAPABILITIES, role).toSorted(),
      role,
    )
  }
  assert.deepEqual(workspaceCapabilities(null), [])
  assert.deepEqual(organisationCapabilities(null), [])
})

/** Every question about a workspace or project with its two answers, of the same person before and after a change. */
function* changes(change: (standing: Standing) => Standing | undefined) {
  for (const { name, asks } of ASKED) {
    const access = toAccess(asks)
    if (access?.kind !== 'workspace' && access?.kind !== 'project') continue
    for (const standing of STANDINGS) {
      const changed = change(standing)
      if (!changed) continue
      const [before, after] = [standing, changed].map((one) => ask(access, one, 'guardian', true, true))
      yield { name, standing, before, after, access }
    }
  }
}

test('a role in the organisation gives no workspace capability, putting members in aside', () => {
  for (const { name, standing, before, after, access } of changes((one) => ({
    ...one,
    organisation: null,
  }))) {
    const gaveIt = before === 'allowed' && after !== 'allowed'
    const mayGive =
      access.kind === 'workspace' && (access.orOrganisation !== undefined || access.capability === null)
    assert.ok(!gaveIt || mayGive, `${name}: ${describe(standing)}`)
  }
})

test('an owner may do all that any other role may', () => {
  for (const { name, standing, before, after } of changes((one) =>
    one.workspace === null ? undefined : { ...one, workspace: 'owner' },
  ))
    assert.ok(before !== 'allowed' || after === 'allowed', `${name}: ${describe(standing)}`)
})

test('staff status never takes anything away, and nothing stops staff but the tier', () => {
  for (const { name, standing, after } of changes((one) => ({ ...one, staff: true })))
    assert.equal(after, 'allowed', `${name}: ${describe(standing)}`)
})

test('a tier that is too low stops everybody who is capable, staff too, and tells nobody else', () => {
  const access = toAccess({ of: 'project', capability: 'workspace:webhooks' }) as Access
  for (const standing of STANDINGS) {
    const [free, innovator, changemaker, guardian] = TIERS.map((tier) =>
      ask(access, standing, tier, true, true),
    )
    const refused = changemaker === 'allowed' ? 'tier_required' : changemaker
    assert.deepEqual([free, innovator], [refused, refused], describe(standing))
    assert.equal(guardian, changemaker, `the highest tier has all: ${describe(standing)}`)
    for (const tier of TIERS)
      assert.equal(ask(access, standing, tier, true, false), changemaker, `no gates: ${describe(standing)}`)
  }
})
