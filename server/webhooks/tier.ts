import { includesTier, TIERS, type Tier } from '../auth/index.ts'

/** The lowest tier that has webhooks. */
export const WEBHOOK_TIER = 'changemaker' satisfies Tier

/** The tiers whose webhooks get deliveries, as a list for SQL statements. */
export const tiersWithWebhooks = (tierGates: boolean): Tier[] =>
  tierGates ? TIERS.filter((tier) => includesTier(tier, WEBHOOK_TIER)) : [...TIERS]
