import { z } from 'zod'
import type { ConversationSummary } from '../../database/tables.ts'
import { pageQuery } from '../api/pagination.ts'
import { id, input, languageTag, moment, name, text, timestamp } from '../api/schema.ts'
import { isKnownLanguage } from '../engines/language-tag.ts'
import { type ConversationRow, payloadOf, summaryText } from './payload.ts'
import { formatCode, parseCode } from './short-code.ts'
import { TRANSCRIPT_FORMATS } from './transcript/formats.ts'

export const status = z.enum(['recording', 'transcribing', 'summarizing', 'done', 'failed'])
const source = z.enum(['portal_audio', 'portal_text', 'upload'])

const FAILURES = `Why it failed: \`unreadable\` (the audio can’t be decoded), \`needs_ffmpeg\` (a rare codec, such as ALAC, and
ffmpeg is not installed), \`incomplete\` (no audio arrived, or what arrived cannot be decoded without the audio before it), \`unsupported_language\`,
\`unavailable\` or \`misconfigured\` (the engine), \`internal\`; with the prefix \`summary_\` if the summary failed`

const SummaryDetails = z
  .object({
    method: z
      .enum(['extractive', 'generative'])
      .describe('`extractive`: selected sentences of the transcript; `generative`: written by a model'),
    model: z.string().nullable().describe('The model that wrote the summary, if known'),
    fallback: z
      .string()
      .nullable()
      .describe(
        'Why sentences were selected although a model is configured: `token_limit`, `unusable`, `unsupported` (by the transcript) or `unavailable`',
      ),
    points: z.array(
      z.object({
        text: z.string(),
        segments: z.array(z.string()).describe('Ids of the transcript segments that support the point'),
        start_ms: z
          .number()
          .int()
          .nullable()
          .describe(
            'When the first of them begins in the recording; null for written text and old summaries',
          ),
      }),
    ),
  })
  .meta({ id: 'SummaryDetails' })

const Consent = z
  .object({ text_sha256: z.string(), language: z.string(), at: timestamp })
  .meta({ id: 'Consent' })

export const Conversation = z
  .object({
    id,
    project_id: id,
    code: z
      .string()
      .nullable()
      .meta({ description: 'On the receipt of the participant, for inquiries', examples: ['K7QM-2XRD'] }),
    status,
    failure: z.string().nullable().describe(FAILURES),
    source,
    revision: z.number().int().describe('Increases when the events of the conversation are sent again'),
    language: z
      .string()
      .nullable()
      .describe('Language of the transcript, otherwise the chosen language; null until one is known'),
    participant_name: z.string().nullable(),
    participant_email: z.string().nullable(),
    tags: z.array(z.string()),
    title: z.string().nullable(),
    summary: z
      .string()
      .nullable()
      .describe('One line for each point, as in `conversation.summarized`; null until it is written'),
    summary_details: SummaryDetails.nullable().describe('How the summary was made, and its sources'),
    started_at: timestamp,
    finished_at: timestamp.nullable(),
    duration_seconds: z
      .number()
      .describe('Length of the audio transcribed so far; 0 at the start. Events contain the same value'),
    missing_seconds: z
      .number()
      .describe(
        'Length of the audio that never arrived or cannot be decoded; not part of `duration_seconds`',
      ),
    transcript_model: z
      .string()
      .nullable()
      .describe(
        'The speech model that wrote the transcript, for example `whisper-small`; null until there is one, or if it is not known',
      ),
    consent: Consent.nullable().describe('Digest of the text that the participant agreed to, and the time'),
  })
  .meta({ id: 'Conversation' })

/** In a search, each record also has the words that were found. */
export const ListedConversation = Conversation.extend({
  match: z
    .string()
    .nullable()
    .optional()
    .describe(
      'Only with `q`: a passage of the transcript with one of the words; null if they are elsewhere, for example in the title',
    ),
}).meta({ id: 'ListedConversation' })

/** A single conversation also has the consent text, which lists would repeat in every record, and the times of missing audio. */
export const ConversationInFull = Conversation.extend({
  missing: z
    .array(z.object({ start_ms: z.number().int(), end_ms: z.number().int() }).meta({ id: 'MissingAudio' }))
    .describe('When audio is missing, in milliseconds from the start, as in the transcript and the audio'),
  consent: Consent.extend({
    text: z.string().nullable().describe('null for consents given before texts were stored'),
  })
    .meta({ id: 'ConsentInFull' })
    .nullable()
    .describe('The text that the participant agreed to, and the time'),
}).meta({ id: 'ConversationInFull' })

const toDetails = (summary: ConversationSummary): z.output<typeof SummaryDetails> => ({
  method: summary.method,
  model: summary.model ?? null,
  fallback: summary.fallback ?? null,
  points: summary.points.map((point) => ({ ...point, start_ms: point.start_ms ?? null })),
})

export const toConversation = (row: ConversationRow): z.output<typeof Conversation> => ({
  ...payloadOf(row),
  project_id: row.project_id,
  code: row.code && formatCode(row.code),
  failure: row.failure,
  missing_seconds: row.missing_ms / 1000,
  participant_email: row.participant_email,
  summary: summaryText(row),
  summary_details: row.summary && toDetails(row.summary),
  transcript_model: row.transcript_model,
  consent: row.consent,
})

export const ConversationPatch = input({
  language: languageTag
    .refine(isKnownLanguage, 'is not a known language')
    .nullable()
    .optional()
    .describe(
      'Corrects the language: any known one is allowed, null means that of the project. Transcribe again to apply it',
    ),
  title: name(300).nullable().optional(),
  participant_name: name(200).nullable().optional(),
  tags: z
    .array(name(100))
    .max(100)
    .refine((list) => new Set(list).size === list.length, 'must not repeat an entry')
    .optional(),
})

export const ConversationQuery = pageQuery.extend({
  status: status.optional(),
  source: source.optional(),
  tag: text(1, 100).optional(),
  language: languageTag
    .optional()
    .describe('Language of the transcript, otherwise the chosen language, as in `language` of the record'),
  since: moment.optional().describe('Started at this time or later'),
  until: moment.optional().describe('Started before this time'),
  code: text(1, 20)
    .refine((typed) => parseCode(typed) !== null, 'must be the code of a receipt, such as K7QM-2XRD')
    .transform((typed) => String(parseCode(typed)))
    .optional()
    .meta({
      description: 'The code of a receipt; case, spaces and hyphens do not matter',
      examples: ['K7QM-2XRD'],
    }),
  q: text(1, 200)
    .optional()
    .describe(
      'Words of the transcript, title, summary or participant’s name; beginnings match. Or the code of a receipt',
    ),
})

const ms = z.number().int().min(0)
const times = { start_ms: ms, end_ms: ms }

/** The transcript as JSON; the other formats have the same content. */
export const Transcript = z
  .object({
    title: z.string(),
    participant: z.string().nullable(),
    language: z.string().nullable(),
    started_at: timestamp,
    entries: z
      .array(
        z.union([
          z
            .object({
              kind: z.enum(['said', 'written']),
              id: z.string().optional().describe('Of the segment, or of the text entry'),
              ...times,
              text: z.string(),
              speaker: z.string().optional(),
              language: z
                .string()
                .optional()
                .describe('ISO 639-1, if the engine detected it for this segment'),
              confidence: z.number().min(0).max(1).optional(),
              unclear: z
                .literal(true)
                .optional()
                .describe('Only where the confidence is low, or no word was understood'),
              original_text: z.string().optional().describe('Only where a host corrected the text'),
              etag: z
                .string()
                .optional()
                .describe('Of the segment: send it as `If-Match` with a correction of this entry'),
              words: z
                .array(z.object({ text: z.string(), ...times, confidence: z.number().min(0).max(1) }))
                .optional()
                .describe('Only if the engine reports a confidence for each word'),
            })
            .meta({ id: 'TranscriptText' }),
          z
            .object({ kind: z.literal('missing'), ...times, reason: z.string() })
            .meta({ id: 'TranscriptGap' }),
        ]),
      )
      .describe('In chronological order'),
  })
  .meta({ id: 'Transcript' })

export const TranscriptQuery = z.strictObject({
  format: z.enum(TRANSCRIPT_FORMATS).default('json'),
})
