import { z } from 'zod'
import { pageQuery } from '../../api/pagination.ts'
import { id, timestamp } from '../../api/schema.ts'
import { ROLES, TIERS } from '../../auth/index.ts'

const role = z.enum(ROLES)
const capabilities = z.array(z.string())

export const MyOrganisation = z.object({ id, name: z.string(), role, capabilities })
export const MyWorkspace = z.object({
  id,
  name: z.string(),
  organisation_id: id,
  role,
  tier: z.enum(TIERS),
  capabilities,
})
export const MyInvitation = z.object({
  id,
  organisation_id: id,
  organisation_name: z.string(),
  workspace_id: id.nullable(),
  workspace_name: z.string().nullable(),
  role,
  invited_by: z.string(),
  expires_at: timestamp,
})

const nextCursor = (list: string) =>
  z
    .string()
    .nullable()
    .describe(`Cursor of the next page at /api/v2/me/${list}; null if the list is complete`)

export const meQuery = pageQuery.pick({ limit: true })

export const Me = z
  .object({
    user: z.object({ id: z.string(), name: z.string().nullable(), email: z.string().nullable() }),
    staff: z.boolean(),
    organisations: z.array(MyOrganisation),
    organisations_next_cursor: nextCursor('organisations'),
    workspaces: z.array(MyWorkspace),
    workspaces_next_cursor: nextCursor('workspaces'),
    invitations: z.array(MyInvitation),
    invitations_next_cursor: nextCursor('invitations'),
  })
  .meta({ id: 'Me' })
