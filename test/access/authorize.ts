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
import { describeCaller } from './fixtures.ts'
import {
  ALL_ROLE_SETS,
  capabilitiesOf,
  type EffectiveRoles,
  expected,
  LOWEST_TIER,
  ORGANISATION_CAPABILITIES,
  type Requirement,
  ROLES,
  ROUTES,
  TIERS,
  type Tier,
  WORKSPACE_CAPABILITIES,
} from './statement.ts'

/** The requirement of every route, and every documented capability, so that future routes are covered, too. */
const REQUIREMENTS: { name: string; requires: Requirement }[] = [
  ...ROUTES,
  ...Object.keys(ORGANISATION_CAPABILITIES).map((capability) => ({
    name: capability,
    requires: { kind: 'organisation' as const, capability },
  })),
  ...Object.keys(WORKSPACE_CAPABILITIES).flatMap((capability) =>
    (['workspace', 'project'] as const).map((kind) => ({
      name: `${capability} of a ${kind}`,
      requires: { kind, capability },
    })),
  ),
]

/** The same requirement in the product's types; undefined for invitations, which `authorize` does not decide. */
function toAccess(requires: Requirement): Access | undefined {
  if (requires.kind === 'invitation') return undefined
  if (requires.kind === 'anyone') return { kind: 'public' }
  if (requires.kind === 'anyone signed in') return { kind: 'signed_in' }
  if (requires.kind === 'staff') return requires
  const { orOrganiser, orSelf, ...access } = { orOrganiser: false, ...requires }
  const tier = requires.kind === 'organisation' ? undefined : LOWEST_TIER[requires.capability ?? '']
  return {
    ...access,
    ...(orOrganiser && { orOrganisation: 'organisation:members' }),
    ...(orSelf && { orSelf }),
    ...(tier && { tier }),
  } as Access
}

interface State {
  tier: Tier
  exists: boolean
  gates: boolean
  self: boolean
}

const EXISTING: Omit<State, 'tier'> = { exists: true, gates: true, self: false }
const BOTH = [true, false]
const ALL_STATES: State[] = TIERS.flatMap((tier) =>
  BOTH.flatMap((exists) => BOTH.flatMap((gates) => BOTH.map((self) => ({ tier, exists, gates, self })))),
)

function decide(access: Access, roles: EffectiveRoles, { tier, exists, gates, self }: State) {
  const isGated = access.kind === 'workspace' || access.kind === 'project'
  const target = {
    staff: roles.staff,
    organisationRole: roles.organisation,
    workspaceRole: roles.workspace,
    tier: isGated ? tier : null,
    self,
  }
  return authorize(access, exists || access.kind === 'staff' ? target : null, gates)
}

test('authorize decides every combination as documented', (t) => {
  let cells = 0
  const wrong: string[] = []
  for (const { name, requires } of REQUIREMENTS) {
    const access = toAccess(requires)
    if (!access) continue
    for (const roles of ALL_ROLE_SETS) {
      for (const state of ALL_STATES) {
        cells++
        const decision = decide(access, roles, state)
        const target = state.exists ? 'own' : 'unknown'
        const wanted = expected({ requires }, roles, target, { ...state, subExists: true })?.code ?? 'allowed'
        if (decision !== wanted)
          wrong.push(
            `${name}, ${describeCaller(roles)}, ${JSON.stringify(state)}: ${decision}, not ${wanted}`,
          )
      }
    }
  }
  t.diagnostic(`${cells} cells`)
  assert.deepEqual(wrong, [])
})

test('the product has the documented roles and tiers, in their order', () => {
  assert.deepEqual(PRODUCT_ROLES, ROLES)
  assert.deepEqual(PRODUCT_TIERS, TIERS)
})

test('each role has the documented capabilities and no other', () => {
  for (const [capabilities, table] of [
    [workspaceCapabilities, WORKSPACE_CAPABILITIES],
    [organisationCapabilities, ORGANISATION_CAPABILITIES],
  ] as const) {
    for (const role of ROLES)
      assert.deepEqual(capabilities(role).toSorted(), capabilitiesOf(table, role).toSorted(), role)
    assert.deepEqual(capabilities(null), [])
  }
})

/** The decisions for every workspace and project requirement before and after a change of the effective roles. */
function* decisions(change: (roles: EffectiveRoles) => EffectiveRoles | undefined) {
  for (const { name, requires } of REQUIREMENTS) {
    const access = toAccess(requires)
    if (access?.kind !== 'workspace' && access?.kind !== 'project') continue
    for (const roles of ALL_ROLE_SETS) {
      const changed = change(roles)
      if (!changed) continue
      const [before, after] = [roles, changed].map(
        (one) => decide(access, one, { ...EXISTING, tier: 'guardian' }) === 'allowed',
      )
      yield { access, before, after, cell: `${name}: ${describeCaller(roles)}` }
    }
  }
}

test('a role in the organisation gives no workspace capability, except to add members', () => {
  for (const { access, before, after, cell } of decisions((roles) => ({ ...roles, organisation: null }))) {
    const canGive =
      access.kind === 'workspace' && (access.orOrganisation !== undefined || access.capability === null)
    assert.ok(!before || after || canGive, cell)
  }
})

test('an owner is allowed everything that any other role is allowed', () => {
  for (const { before, after, cell } of decisions((roles) =>
    roles.workspace === null ? undefined : { ...roles, workspace: 'owner' },
  ))
    assert.ok(!before || after, cell)
})

test('staff are allowed everything on the highest tier, whatever their roles', () => {
  for (const { after, cell } of decisions((roles) => ({ ...roles, staff: true }))) assert.ok(after, cell)
})

test('reports a tier that is too low to capable callers and staff only', () => {
  const access = toAccess({ kind: 'project', capability: 'workspace:webhooks' }) as Access
  for (const roles of ALL_ROLE_SETS) {
    const decisionOn = (tier: Tier, gates = true) => decide(access, roles, { ...EXISTING, tier, gates })
    const decision = decisionOn('changemaker')
    const below = decision === 'allowed' ? 'tier_required' : decision
    const expected = [below, below, decision, decision]
    assert.deepEqual(
      TIERS.map((tier) => decisionOn(tier)),
      expected,
      describeCaller(roles),
    )
    for (const tier of TIERS)
      assert.equal(decisionOn(tier, false), decision, `no gates: ${describeCaller(roles)}`)
  }
})
