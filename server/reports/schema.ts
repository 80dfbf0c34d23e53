import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Tables } from '../../database/tables.ts'
import { id, input, languageTag, moment, name, text, timestamp } from '../api/schema.ts'
import type { StoredDocument } from './stored-document.ts'

export type ReportRow = Selectable<Tables['reports']>

/** Conversations of one report; if there are more, the newest are used. */
export const MAX_CONVERSATIONS = 2_000

export const NewReport = input({
  title: name(300).nullish(),
  language: languageTag.nullish().describe('Default: the language of the project'),
  instructions: text(1, 5_000).nullish().describe('Instructions for the focus of the report'),
  conversation_ids: z
    .array(z.uuid())
    .min(1)
    .max(MAX_CONVERSATIONS)
    .nullish()
    .describe('Default: all conversations that are done'),
  scheduled_at: moment.nullish().describe('When to generate the report; default: now'),
})

export const ReportPatch = input({
  title: name(300).optional(),
  published: z
    .boolean()
    .optional()
    .describe(
      'Whether the current version can be read without an account; at most one report of a project is published',
    ),
  redact_names: z
    .boolean()
    .optional()
    .describe(
      'Whether the published report hides names of people, e-mail addresses, phone numbers and street addresses in its texts; default: true',
    ),
})

export const ReportQuery = z.strictObject({ format: z.enum(['json', 'md', 'html', 'pdf']).default('json') })

const count = z.number().int().min(0)

const LeftOut = z
  .object({
    not_finished: count.describe('Still being recorded or transcribed'),
    failed: count.describe('Transcription failed'),
    empty: count.describe('Contains no words'),
    erased: count.describe('Withdrawn or deleted, before or after the report was generated'),
    over_limit: count.describe(`Older than the newest ${MAX_CONVERSATIONS}`),
  })
  .describe('Number of requested conversations that are not in the report, by reason')

export const Report = z
  .object({
    id,
    project_id: id,
    status: z.enum(['scheduled', 'generating', 'ready', 'failed']),
    failure: z.string().nullable(),
    title: z.string().nullable(),
    language: z.string(),
    instructions: z.string().nullable(),
    scheduled_at: timestamp.nullable(),
    progress: z.number().min(0).max(1),
    published: z.boolean(),
    version: z.number().int().describe('The version that members read; 1 is the generated one'),
    published_version: z.number().int().nullable().describe('The version that everyone can read'),
    redact_names: z
      .boolean()
      .describe(
        'Whether the published report hides names of people, e-mail addresses, phone numbers and street addresses in its texts',
      ),
    conversation_count: z.number().int(),
    left_out: LeftOut.nullable().describe(
      'Null until the report is ready, and in reports of earlier versions',
    ),
    method: z
      .enum(['extractive', 'generative'])
      .nullable()
      .describe(
        '`extractive`: selected sentences; `generative`: written by a model; null until the report is ready',
      ),
    model: z.string().nullable().describe('The model that wrote the report, if known'),
    fallback: z
      .string()
      .nullable()
      .describe(
        'Why sentences were selected although a model is configured: `token_limit`, `unusable`, `unsupported` (by the transcripts) or `unavailable`',
      ),
    created_at: timestamp,
    ready_at: timestamp.nullable(),
  })
  .meta({ id: 'Report' })

export function toReport(row: ReportRow): z.output<typeof Report> {
  const document = row.document as StoredDocument | null
  return {
    id: row.id,
    project_id: row.project_id,
    status: row.status,
    failure: row.failure,
    title: row.title,
    language: row.language,
    instructions: row.instructions,
    scheduled_at: row.scheduled_at,
    progress: row.progress,
    published: row.published,
    version: row.version,
    published_version: row.published ? (row.published_version ?? row.version) : null,
    redact_names: row.redact_names,
    conversation_count: row.conversation_count,
    left_out: document?.left_out ?? null,
    method: document?.method ?? null,
    model: document?.model ?? null,
    fallback: document?.fallback ?? null,
    created_at: row.created_at,
    ready_at: row.ready_at,
  }
}

export const StartedReport = z
  .object({ id, status: z.enum(['scheduled', 'generating']) })
  .meta({ id: 'StartedReport' })
