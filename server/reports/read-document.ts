import { z } from 'zod'
import { Problem } from '../api/problems.ts'
import type { Context } from '../api/route-spec.ts'
import { id, timestamp } from '../api/schema.ts'
import type { ProjectTarget } from '../auth/index.ts'
import { noteStaffReading } from '../tenancy/index.ts'
import type { Position } from './render/report-document.ts'
import { sectionVoices } from './render/section-voices.ts'
import type { ReportRow } from './schema.ts'
import { paragraphKey, quotationKey, sectionKey } from './versions/apply-edit.ts'
import { findVersion } from './versions/find-version.ts'

const Source = z.object({
  conversation_id: id,
  start_ms: z.number().int().nullable().describe('From the start of the conversation; null for written text'),
})

const withdrawn = 'null if the conversation was withdrawn later'

const key = z.string().describe('Names this part in an edit of this version')

const Section = z.object({
  key,
  heading: z.string().describe('Empty if the statements belong to no theme'),
  voices: z
    .object({ all: z.number().int(), for: z.number().int(), against: z.number().int() })
    .nullable()
    .describe(
      'How many conversations the section is from, and how many of them are for or against its subject; null if the report has no themes',
    ),
  paragraphs: z.array(
    z.object({
      key,
      text: z.string().nullable().describe(withdrawn),
      sources: z.array(Source),
      edited: z.boolean().describe('Whether a member wrote or changed it'),
    }),
  ),
  quotations: z.array(
    z.object({ key, text: z.string().nullable().describe(withdrawn), source: Source.nullable() }),
  ),
})

export const ReportDocument = z
  .object({
    id,
    version: z.number().int(),
    title: z.string(),
    language: z.string(),
    created_at: timestamp,
    introduction: z.string(),
    own_introduction: z.boolean().describe('Whether a member wrote the introduction'),
    conversation_count: z.number().int(),
    sections: z.array(Section),
    conversations: z
      .array(
        z.object({
          id,
          number: z.number().int().describe('Names a person without a name in the report'),
          title: z.string().nullable(),
          participant: z.string().nullable(),
        }),
      )
      .describe('Those that the report names'),
  })
  .meta({ id: 'ReportDocument' })

/** The text of a report with its sources, for pages that show it in their own way. */
export async function readDocument(
  context: Context<ProjectTarget>,
  row: ReportRow,
  version = row.version,
): Promise<z.output<typeof ReportDocument>> {
  await noteStaffReading(context, 'report.read', { kind: 'report', id: row.id })
  const stored = await findVersion(context.db, row, version)
  if (!stored) throw new Problem('not_found')
  const { sections, conversations, ...document } = stored
  return {
    id: document.id,
    version,
    title: document.title,
    language: document.language,
    created_at: document.created_at,
    introduction: document.introduction,
    own_introduction: document.own_introduction === true,
    conversation_count: document.conversation_count,
    sections: sections.map((section, at) => ({
      key: sectionKey(at),
      heading: section.heading ?? '',
      voices: sectionVoices(section, at),
      paragraphs: section.paragraphs.map((one, n) => ({
        key: paragraphKey(at, n),
        ...('erased' in one
          ? { text: null, sources: [], edited: false }
          : { text: one.text, sources: one.sources.map(sourceOf), edited: one.own === true }),
      })),
      quotations: section.quotations.map((one, n) => ({
        key: quotationKey(at, n),
        ...('erased' in one
          ? { text: null, source: null }
          : { text: one.text, source: sourceOf(one.source) }),
      })),
    })),
    conversations: conversations.map(({ id, number, title, participant }, at) => ({
      id,
      number: number ?? at + 1,
      title,
      participant,
    })),
  }
}

const sourceOf = ({ conversation_id, start_ms }: Position) => ({ conversation_id, start_ms })
