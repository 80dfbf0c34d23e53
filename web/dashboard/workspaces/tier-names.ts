import type { Schemas } from '../api/client.ts'

export type TierName = Schemas['Workspace']['tier']

/** From the lowest on. */
export const TIERS = ['free', 'innovator', 'changemaker', 'guardian'] as const satisfies TierName[]
