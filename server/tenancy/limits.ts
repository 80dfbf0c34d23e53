import { Problem } from '../api/problems.ts'
import { TIERS, type Tier } from '../auth/index.ts'

const GIB = 1024 ** 3
const TIB = 1024 ** 4

type OwnerKind = 'user' | 'organisation' | 'workspace'

interface Limit {
  /** The row of the table in the documents. */
  title: string
  /** Continues "Limit reached: a free workspace can …" with the number and what to do. */
  rule(max: number): string
  max: Record<Tier, number>
}

/** From the lowest tier to the highest. */
const byTier = (...max: [number, number, number, number]): Limit['max'] =>
  Object.fromEntries(TIERS.map((tier, index) => [tier, max[index]])) as Limit['max']

/**
 * Every limit on records that customers create, by tier. Limits are checked when a record is created: a workspace that moves to a
 * lower tier keeps its existing records.
 */
export const LIMITS = {
  organisations: {
    title: 'organisations created by one user',
    rule: (max) => `create at most ${max} organisations. Delete one and try again.`,
    max: byTier(5, 10, 50, 500),
  },
  workspaces: {
    title: 'workspaces in an organisation',
    rule: (max) => `have at most ${max} workspaces. Delete one and try again.`,
    max: byTier(5, 25, 100, 1_000),
  },
  projects: {
    title: 'projects in a workspace',
    rule: (max) => `have at most ${max} projects. Delete one and try again.`,
    max: byTier(20, 100, 500, 5_000),
  },
  members: {
    title: 'members of an organisation, and of a workspace',
    rule: (max) => `have at most ${max} members. Remove one and try again.`,
    max: byTier(25, 100, 500, 5_000),
  },
  invitations: {
    title: 'pending invitations to an organisation, and to a workspace',
    rule: (max) =>
      `have at most ${max} pending invitations. Wait until one is accepted, declined or expires.`,
    max: byTier(25, 100, 500, 2_000),
  },
  reports: {
    title: 'scheduled or running reports of a workspace',
    rule: (max) =>
      `have at most ${max} reports scheduled or being generated. Wait until one is ready, or delete one.`,
    max: byTier(10, 20, 50, 200),
  },
  exports: {
    title: 'unexpired exports of a workspace',
    rule: (max) => `have at most ${max} unexpired exports. Each expires after 24 hours.`,
    max: byTier(10, 20, 50, 200),
  },
  storage: {
    title: 'recordings and texts stored in a workspace',
    rule: (max) => `store at most ${formatBytes(max)} of recordings. Delete some and try again.`,
    max: byTier(20 * GIB, 200 * GIB, 2 * TIB, 20 * TIB),
  },
} as const satisfies Record<string, Limit>

type LimitName = keyof typeof LIMITS

export const formatBytes = (bytes: number): string =>
  bytes >= TIB ? `${bytes / TIB} TiB` : `${bytes / GIB} GiB`

export interface Limits {
  /** Throws `409 limit_reached` unless one more can be created. */
  check(name: LimitName, owner: { kind: OwnerKind; tier: Tier }, existing: number): void
  /** The highest number that `check` allows. */
  maxOf(name: LimitName, tier: Tier): number
}

/** With TIER_GATES=off every tier has the limits of the highest: they still stop a script that creates without end. */
export function createLimits(tierGates: boolean): Limits {
  const maxOf = (name: LimitName, tier: Tier): number => LIMITS[name].max[tierGates ? tier : HIGHEST_TIER]
  return {
    maxOf,
    check(name, { kind, tier }, existing) {
      const { rule }: Limit = LIMITS[name]
      const allowed = maxOf(name, tier)
      if (existing < allowed) return
      const detail = `Limit reached: ${describeOwner(kind, tierGates ? tier : null)} can ${rule(allowed)}`
      throw new Problem('limit_reached', { detail })
    },
  }
}

const HIGHEST_TIER = 'guardian' satisfies Tier

function describeOwner(kind: OwnerKind, tier: Tier | null): string {
  const article = tier === 'innovator' || (tier === null && kind === 'organisation') ? 'an' : 'a'
  if (tier === null) return `${article} ${kind}`
  return kind === 'user' ? `a user on the ${tier} tier` : `${article} ${tier} ${kind}`
}

/** The tier of what holds several workspaces is the highest of theirs. */
export const highestTier = (tiers: string[]): Tier =>
  TIERS.findLast((tier) => tiers.includes(tier)) ?? TIERS[0]
