import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'

/** Usage of projects: a part of each usage response. */
export const conversationUsage = {
  conversations: z.number().int(),
  audio_seconds: z.number().int(),
  stored_bytes: z.number().int(),
  reports: z.number().int(),
  webhooks: z.number().int(),
}

/** Columns and the `from` clause for a `select`. `projects` selects the ids of the projects. */
export const conversationColumns = (projects: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  (select count(*) from reports where deleted_at is null and project_id in (${projects})) as reports,
  (select count(*) from webhooks where deleted_at is null and project_id in (${projects})) as webhooks,
  held_conversations.* from (
    select count(*) as conversations, (coalesce(sum(duration_ms), 0) / 1000)::bigint as audio_seconds,
      coalesce(sum(bytes), 0)::bigint as stored_bytes
    from conversations where deleted_at is null and project_id in (${projects})
  ) as held_conversations`
