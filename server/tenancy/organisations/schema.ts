import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Tables } from '../../../database/tables.ts'
import { id, input, name, timestamp } from '../../api/schema.ts'
import { conversationUsage } from '../conversation-usage.ts'

export const Organisation = z
  .object({ id, name: z.string(), created_at: timestamp })
  .meta({ id: 'Organisation' })

export const NewOrganisation = input({ name: name(200) })
export const OrganisationPatch = input({ name: name(200).optional() })

export const OrganisationUsage = z
  .object({
    organisation_id: id,
    members: z.number().int(),
    workspaces: z.number().int(),
    projects: z.number().int(),
    open_projects: z.number().int(),
    pending_invitations: z.number().int(),
    ...conversationUsage,
    by_tier: z.record(z.string(), z.number().int()).describe('Number of workspaces by tier'),
    limits: z
      .object({ members: z.number().int(), workspaces: z.number().int() })
      .describe('The highest values that the highest tier of the workspaces allows'),
  })
  .meta({ id: 'OrganisationUsage' })

export function toOrganisation(row: Selectable<Tables['organisations']>): z.output<typeof Organisation> {
  return { id: row.id, name: row.name, created_at: row.created_at }
}
