import { z } from 'zod'
import { id, timestamp } from '../api/schema.ts'
import { ROLES } from '../auth/index.ts'

const project = { project_id: id, project_name: z.string() }
const title = z.string().nullable()
const count = z.number().int()

export const Activity = z
  .object({
    conversations: z
      .array(
        z.object({
          id,
          ...project,
          title,
          participant_name: z.string().nullable(),
          status: z.enum(['recording', 'transcribing', 'summarizing', 'done', 'failed']),
          started_at: timestamp,
        }),
      )
      .describe('The newest ones, where you have `conversation:read`'),
    reports: z
      .array(
        z.object({
          id,
          ...project,
          title,
          status: z.enum(['scheduled', 'generating', 'ready', 'failed']),
          published: z.boolean(),
          created_at: timestamp,
        }),
      )
      .describe('The newest ones, where you have `report:read`'),
    attention: z.object({
      webhooks: z
        .array(
          z.object({
            id,
            ...project,
            name: z.string().nullable(),
            host: z.string().meta({ examples: ['example.com'] }),
            state: z.enum(['failing', 'disabled']),
            disabled_reason: z.enum(['gone', 'failing', 'staff', 'secret_unreadable']).nullable(),
            consecutive_failures: count,
          }),
        )
        .describe(
          'Failing ones and those disabled by the service or by staff, where you have `workspace:webhooks`',
        ),
      conversations: z
        .array(z.object({ ...project, failed: count.describe('Counted up to 1,000') }))
        .describe('Projects with failed conversations'),
      reports: z
        .array(z.object({ id, ...project, title, created_at: timestamp }))
        .describe('Reports that failed'),
      invitations: z
        .array(
          z.object({
            id,
            organisation_id: id,
            workspace_id: id.nullable().describe('Null: an invitation to the organisation itself'),
            scope_name: z.string().describe('Of the workspace or the organisation'),
            email: z.string(),
            role: z.enum(ROLES),
            expired_at: timestamp,
          }),
        )
        .describe('Invitations that you sent and that expired in the last 7 days'),
    }),
  })
  .meta({ id: 'Activity' })
