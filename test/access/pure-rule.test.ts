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
  ALL_ROLE_SETS,
  type Asks,
  capabilitiesOf,
  type EffectiveRoles,
  expected,
  LOWEST_TIER,
  ORGANISATION_CAPABILITIES,
  ROLES,
  ROUTES,
  TIERS,
  type Tier,
  WORKSPACE_CAPABILITIES,
} from './statement.ts'

/** Every route, and every documented capability, so that future routes are decided already. */
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
    case 'anyone':
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
  effectiveRoles: EffectiveRoles,
  tier: Tier | null,
  exists: boolean,
  gates: boolean,
  self = false,
) =>
  authorize(
    access,
    exists || access.kind === 'staff'
      ? {
          staff: effectiveRoles.staff,
          organisationRole: effectiveRoles.organisation,
          workspaceRole: effectiveRoles.workspace,
          tier: access.kind === 'workspace' || access.kind === 'project' ? tier : null,
          self,
        }
      : null,
    gates,
  )

test('decides every combination as documented', (t) => {
  let cells = 0
  const wrong: string[] = []
  for (const { name, asks } of ASKED) {
    const access = toAccess(asks)
    if (!access) continue
    for (const effectiveRoles of ALL_ROLE_SETS) {
      for (const tier of TIERS) {
        for (const exists of [true, false]) {
          for (const gates of [true, false]) {
            for (const self of [true, false]) {
              cells++
              const said = ask(access, effectiveRoles, tier, exists, gates, self)
              const state = { tier, gates, subExists: true, self }
              const wanted =
                expected({ asks }, effectiveRoles, exists ? 'own' : 'unknown', state)?.code ?? 'allowed'
              if (said !== wanted)
                wrong.push(
                  `${name}, ${describe(effectiveRoles)}, ${tier}, ${exists ? 'found' : 'unknown'}, ${self ? 'self' : 'other'}: ${said}, not ${wanted}`,
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

test('the roles and tiers are the documented ones, in their order', () => {
  assert.deepEqual(PRODUCT_ROLES, ROLES)
  assert.deepEqual(PRODUCT_TIERS, TIERS)
})

test('each role has the documented capabilities and no other', () => {
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
function* changes(change: (effectiveRoles: EffectiveRoles) => EffectiveRoles | undefined) {
  for (const { name, asks } of ASKED) {
    const access = toAccess(asks)
    if (access?.kind !== 'workspace' && access?.kind !== 'project') continue
    for (const effectiveRoles of ALL_ROLE_SETS) {
      const changed = change(effectiveRoles)
      if (!changed) continue
      const [before, after] = [effectiveRoles, changed].map((one) => ask(access, one, 'guardian', true, true))
      yield { name, effectiveRoles, before, after, access }
    }
  }
}

test('a role in the organisation gives no workspace capability, putting members in aside', () => {
  for (const { name, effectiveRoles, before, after, access } of changes((one) => ({
    ...one,
    organisation: null,
  }))) {
    const gaveIt = before === 'allowed' && after !== 'allowed'
    const mayGive =
      access.kind === 'workspace' && (access.orOrganisation !== undefined || access.capability === null)
    assert.ok(!gaveIt || mayGive, `${name}: ${describe(effectiveRoles)}`)
  }
})

test('an owner may do all that any other role may', () => {
  for (const { name, effectiveRoles, before, after } of changes((one) =>
    one.workspace === null ? undefined : { ...one, workspace: 'owner' },
  ))
    assert.ok(before !== 'allowed' || after === 'allowed', `${name}: ${describe(effectiveRoles)}`)
})

test('staff status never takes anything away, and nothing stops staff but the tier', () => {
  for (const { name, effectiveRoles, after } of changes((one) => ({ ...one, staff: true })))
    assert.equal(after, 'allowed', `${name}: ${describe(effectiveRoles)}`)
})

test('reports a tier that is too low to capable callers and staff only', () => {
  const access = toAccess({ of: 'project', capability: 'workspace:webhooks' }) as Access
  for (const effectiveRoles of ALL_ROLE_SETS) {
    const [free, innovator, changemaker, guardian] = TIERS.map((tier) =>
      ask(access, effectiveRoles, tier, true, true),
    )
    const refused = changemaker === 'allowed' ? 'tier_required' : changemaker
    assert.deepEqual([free, innovator], [refused, refused], describe(effectiveRoles))
    assert.equal(guardian, changemaker, `the highest tier has all: ${describe(effectiveRoles)}`)
    for (const tier of TIERS)
      assert.equal(
        ask(access, effectiveRoles, tier, true, false),
        changemaker,
        `no gates: ${describe(effectiveRoles)}`,
      )
  }
})
