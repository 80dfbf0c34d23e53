/** Low to high. The tier is the workspace's, never the caller's. */
export const TIERS = ['free', 'innovator', 'changemaker', 'guardian'] as const
export type Tier = (typeof TIERS)[number]

export const includesTier = (tier: Tier, needed: Tier): boolean =>
  TIERS.indexOf(tier) >= TIERS.indexOf(needed)
