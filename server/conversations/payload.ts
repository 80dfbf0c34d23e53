import type { Selectable } from 'kysely'
import type { Tables } from '../kernel/tables.ts'
import type { ConversationPayload } from '../webhooks/index.ts'

export type ConversationRow = Selectable<Tables['conversations']>

/** A conversation as events tell of it. */
export const payloadOf = (row: ConversationRow): ConversationPayload => ({
  id: row.id,
  revision: row.revision,
  status: row.status,
  source: row.source,
  language: row.heard_language ?? row.language,
  participant_name: row.participant_name,
  tags: row.tags,
  started_at: row.started_at,
  finished_at: row.finished_at,
  duration_seconds: row.finished_at === null ? null : row.duration_ms / 1000,
  title: row.title,
})

/** The points of a summary as one text. */
export const summaryText = ({ summary }: ConversationRow): string | null =>
  summary?.points.map(({ text }) => `- ${text}`).join('\n') ?? null
