import type { Selectable } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import type { ConversationPayload } from '../webhooks/index.ts'

export type ConversationRow = Selectable<Tables['conversations']>

/** The fields that events, the API and its stream share: one function, so that a state looks the same in all three. */
export const payloadOf = (row: ConversationRow) =>
  ({
    id: row.id,
    revision: row.revision,
    status: row.status,
    source: row.source,
    language: row.detected_language ?? row.language,
    participant_name: row.participant_name,
    tags: row.tags,
    started_at: row.started_at,
    finished_at: row.finished_at,
    duration_seconds: row.duration_ms / 1000,
    title: row.title,
  }) satisfies ConversationPayload

/** The points of a summary as one text. */
export const summaryText = ({ summary }: ConversationRow): string | null =>
  summary?.points.map(({ text }) => `- ${text}`).join('\n') ?? null
