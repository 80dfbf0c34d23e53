import { z } from 'zod'
import { id, input, text } from '../api/schema.ts'
import { TIERS } from '../auth/index.ts'

const reason = text(1, 1000)
  .refine((value) => value.trim() !== '', 'must not be blank')
  .describe('Kept in the audit log')

export const TierChange = input({ tier: z.enum(TIERS), reason })
export const Transfer = input({ organisation_id: id, reason })
export const Disabling = input({ reason })
export const JobRetry = input({ reason })
