import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Tables } from '../../../database/tables.ts'
import { id, input, name, timestamp } from '../../api/schema.ts'
import { TIERS, type Tier } from '../../auth/index.ts'
import { conversationUsage } from '../conversation-usage.ts'

export const Workspace = z
  .object({ id, organisation_id: id, name: z.string(), tier: z.enum(TIERS), created_at: timestamp })
  .meta({ id: 'Workspace' })

export const NewWorkspace = input({ name: name(200) })
export const WorkspacePatch = input({ name: name(200).optional() })

export const WorkspaceUsage = z
  .object({
    workspace_id: id,
    tier: z.enum(TIERS),
    members: z.number().int(),
    projects: z.number().int(),
    open_projects: z.number().int(),
    pending_invitations: z.number().int(),
    ...conversationUsage,
    limits: z
      .object({
        members: z.number().int(),
        projects: z.number().int(),
        pending_invitations: z.number().int(),
        stored_bytes: z.number().int(),
      })
      .describe('The highest values that the tier allows'),
  })
  .meta({ id: 'WorkspaceUsage' })

export function toWorkspace(row: Selectable<Tables['workspaces']>): z.output<typeof Workspace> {
  const { id, organisation_id, name, created_at } = row
  return { id, organisation_id, name, tier: row.tier as Tier, created_at }
}
