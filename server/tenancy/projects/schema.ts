import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Tables } from '../../../database/tables.ts'
import { linkProblem } from '../../../platform/url-text.ts'
import { id, input, languageTag, name, text, timestamp } from '../../api/schema.ts'
import { accentProblem } from './accent-color.ts'
import { AUTO } from './auto-language.ts'
import { logoPath, recordingUrl, shortUrl } from './links.ts'

/** Participants open it from the recording page, so it must be https: otherwise a network could change the page. */
const link = text(1, 2048)
  // Before z.url, which removes tabs and newlines from the value.
  .refine((value) => linkProblem(value) === null, {
    error: ({ input: value }) => linkProblem(String(value)) ?? undefined,
  })
  .pipe(z.url({ protocol: /^https$/, message: 'must be an https:// URL' }))
/** In lower case. Refused if it can't be seen on the recording page. */
const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #0b57d0')
  .transform((value) => value.toLowerCase())
  .refine((value) => accentProblem(value) === null, {
    error: ({ input: value }) => accentProblem(String(value)) ?? undefined,
  })
/** A list of distinct texts. */
const words = (most: number, longest: number) =>
  z
    .array(name(longest))
    .max(most)
    .refine((list) => new Set(list).size === list.length, 'must not repeat an entry')

export const MAX_RETENTION_DAYS = 36_500

/** The settings of a project, with their defaults. */
const fields = {
  name: name(200),
  language: languageTag
    .or(z.literal(AUTO))
    .default(AUTO)
    .describe(
      'Language that is probably spoken, as a tag such as `nl`; `auto`: detected in each conversation',
    ),
  languages: z
    .array(languageTag)
    .max(50)
    .default([])
    .describe(
      'Further languages that participants can choose; if empty, only `language`, or any with `auto`',
    ),
  is_open: z.boolean().default(true).describe('Whether new conversations can start'),
  title: text(1, 200).nullable().default(null).describe('Heading of the recording page'),
  description: text(1, 5000).nullable().default(null),
  finish_text: text(1, 5000).nullable().default(null).describe('Shown after a participant has finished'),
  ask_name: z.boolean().default(false),
  ask_email: z.boolean().default(false),
  tags: words(100, 100).default([]).describe('Tags that participants can choose'),
  consent_text: text(1, 20_000)
    .nullable()
    .default(null)
    .describe('Text that participants must agree to before they record'),
  privacy_url: link
    .nullable()
    .default(null)
    .describe('Shown on the recording page: an https URL without user name and password'),
  accent_color: color
    .nullable()
    .default(null)
    .describe(
      'Colour of the controls of the recording page, `#rrggbb`; it must have a contrast of at least 3:1 with white',
    ),
  retention_days: z
    .number()
    .int()
    .min(1)
    .max(MAX_RETENTION_DAYS)
    .nullable()
    .default(null)
    .describe('Days after which finished conversations are erased; null: never'),
  hotwords: words(500, 100).default([]).describe('Names and terms that help the transcription'),
}

export const NewProject = input(fields)
/** The same fields without defaults: absent fields do not change. */
export const ProjectPatch = input(
  Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, withoutDefault(field)])) as {
    [K in keyof typeof fields]: z.ZodOptional<Bare<(typeof fields)[K]>>
  },
)

type Bare<S> = S extends z.ZodDefault<infer Inner> ? Inner : S
function withoutDefault(field: z.ZodType): z.ZodType {
  return (field instanceof z.ZodDefault ? (field.unwrap() as z.ZodType) : field).optional()
}

export const Project = z
  .object({
    id,
    workspace_id: id,
    name: z.string(),
    language: z.string(),
    languages: z.array(z.string()),
    is_open: z.boolean(),
    title: z.string().nullable(),
    description: z.string().nullable(),
    finish_text: z.string().nullable(),
    ask_name: z.boolean(),
    ask_email: z.boolean(),
    tags: z.array(z.string()),
    consent_text: z.string().nullable(),
    privacy_url: z.string().nullable(),
    accent_color: z.string().nullable(),
    logo_url: z.string().nullable().describe('Path of the logo on this server; `PUT …/logo` sets it'),
    recording_url: z.url().describe('The page on which people record'),
    short_url: z
      .url()
      .describe('Redirects to `recording_url`: a link to print, to read aloud and for QR codes'),
    retention_days: z.number().int().nullable(),
    hotwords: z.array(z.string()),
    created_at: timestamp,
  })
  .meta({ id: 'Project' })

type Row = Selectable<Tables['projects']>

/** Written out: `Object.fromEntries` makes a slow object, and cost reads of a project 5 % of their CPU time. */
export const toProject = (row: Row, publicUrl: string): z.output<typeof Project> => ({
  id: row.id,
  workspace_id: row.workspace_id,
  name: row.name,
  language: row.language,
  languages: row.languages,
  is_open: row.is_open,
  title: row.title,
  description: row.description,
  finish_text: row.finish_text,
  ask_name: row.ask_name,
  ask_email: row.ask_email,
  tags: row.tags,
  consent_text: row.consent_text,
  privacy_url: row.privacy_url,
  accent_color: row.accent_color,
  logo_url: logoPath(row),
  recording_url: recordingUrl(publicUrl, row),
  short_url: shortUrl(publicUrl, row),
  retention_days: row.retention_days,
  hotwords: row.hotwords,
  created_at: row.created_at,
})

type AsColumns<P> = { [K in keyof P]: K extends 'languages' | 'tags' | 'hotwords' ? string : P[K] }

/** Lists as JSON text, because node-postgres would make PostgreSQL arrays of them. */
export function toColumns<P extends object>(project: P): AsColumns<P> {
  const entries = Object.entries(project)
  return Object.fromEntries(
    entries.map(([key, value]) => [key, Array.isArray(value) ? JSON.stringify(value) : value]),
  ) as AsColumns<P>
}
