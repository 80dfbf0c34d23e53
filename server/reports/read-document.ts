import { z } from 'zod'
import { Problem } from '../api/problems.ts'
import type { Context } from '../api/route-spec.ts'
import { id, timestamp } from '../api/schema.ts'
import type { ProjectTarget } from '../auth/index.ts'
import { noteStaffReading } from '../tenancy/index.ts'
import type { Position } from './render/report-document.ts'
import type { ReportRow } from './schema.ts'
import type { StoredDocument } from './stored-document.ts'

const Source = z.object({
  conversation_id: id,
  start_ms: z.number().int().nullable().describe('From the start of the conversation; null for written text'),
})

const withdrawn = 'null if the conversation was withdrawn later'

const Section = z.object({
  heading: z.string().describe('Empty if the statements belong to no theme'),
  voices: z
    .object({ all: z.number().int(), for: z.number().int(), against: z.number().int() })
    .nullable()
    .describe('How many conversations the theme is from, and how many of them ask for something or object'),
  paragraphs: z.array(
    z.object({ text: z.string().nullable().describe(withdrawn), sources: z.array(Source) }),
  ),
  quotations: z.array(
    z.object({ text: z.string().nullable().describe(withdrawn), source: Source.nullable() }),
  ),
})

export const ReportDocument = z
  .object({
    id,
    title: z.string(),
    language: z.string(),
    created_at: timestamp,
    introduction: z.string(),
    conversation_count: z.number().int(),
    sections: z.array(Section),
    conversations: z
      .array(z.object({ id, title: z.string().nullable(), participant: z.string().nullable() }))
      .describe('Those that the report names'),
  })
  .meta({ id: 'ReportDocument' })

/** The text of a report with its sources, for pages that show it in their own way. */
export async function readDocument(
  context: Context<ProjectTarget>,
  row: ReportRow,
): Promise<z.output<typeof ReportDocument>> {
  await noteStaffReading(context, 'report.read', { kind: 'report', id: row.id })
  if (row.document === null) throw new Problem('report_not_ready')
  const { sections, conversations, ...document } = row.document as StoredDocument
  return {
    id: document.id,
    title: document.title,
    language: document.language,
    created_at: document.created_at,
    introduction: document.introduction,
    conversation_count: document.conversation_count,
    sections: sections.map(({ heading, voices, paragraphs, quotations }) => ({
      heading: heading ?? '',
      voices: voices
        ? {
            all: voices.conversations.length,
            for: voices.for.length,
            against: voices.against.length,
          }
        : null,
      paragraphs: paragraphs.map((one) =>
        'erased' in one
          ? { text: null, sources: [] }
          : { text: one.text, sources: one.sources.map(sourceOf) },
      ),
      quotations: quotations.map((one) =>
        'erased' in one ? { text: null, source: null } : { text: one.text, source: sourceOf(one.source) },
      ),
    })),
    conversations: conversations.map(({ id, title, participant }) => ({ id, title, participant })),
  }
}

const sourceOf = ({ conversation_id, start_ms }: Position) => ({ conversation_id, start_ms })
