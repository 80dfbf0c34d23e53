import { z } from 'zod'
import { id } from '../../api/schema.ts'

export const AnsweredInvitation = z
  .object({
    id,
    organisation_id: id,
    workspace_id: id.nullable(),
    role: z.string(),
    state: z.enum(['accepted', 'declined']),
  })
  .meta({ id: 'AnsweredInvitation' })
