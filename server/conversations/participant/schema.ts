import { z } from 'zod'
import { id, input, languageTag, name, text } from '../../api/schema.ts'
import { status } from '../schema.ts'

export const MAX_CHUNK_BYTES = 25 * 1024 * 1024
export const MAX_SEQ = 99_999
const MAX_TEXT = 100_000
const MAX_TAIL = 10_000

const AccentPair = z
  .object({
    fill: z.string().describe('At least 3:1 against the page'),
    text: z.string().meta({
      description: 'Black or white: at least 4.5:1 against `fill`',
      examples: ['#ffffff'],
    }),
  })
  .meta({ id: 'AccentPair' })

export const Portal = z
  .object({
    id,
    name: z.string(),
    organisation: z.string().describe('Name of the organisation to which the project belongs'),
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
    privacy_url: z
      .string()
      .nullable()
      .describe('An https URL; null if there is none, or if the stored URL is http or contains a user name'),
    accent_color: z.string().nullable().describe('`#rrggbb`, chosen by the host'),
    accent_colors: z
      .object({ light: AccentPair, dark: AccentPair })
      .nullable()
      .describe('`accent_color` on a light and on a dark page; on the dark one it is lightened if necessary'),
    logo_url: z
      .string()
      .nullable()
      .describe('Path of the logo, a PNG image, on this server; it changes with the image'),
    recording_url: z.url().describe('The page on which people record'),
    short_url: z.url().describe('Redirects to `recording_url`'),
  })
  .meta({ id: 'Portal' })

const email = text(3, 320).pipe(z.email('must be an e-mail address'))

const tags = z
  .array(name(100))
  .max(100, 'must have at most 100 entries')
  .transform((given) => [...new Set(given)])

export const StartConversation = input({
  participant_name: name(200).nullish(),
  participant_email: email.nullish(),
  tags: tags.default([]),
  language: languageTag
    .nullish()
    .describe('The `language` of the project or one of its `languages`, in any regional form'),
  consent: z
    .boolean()
    .optional()
    .describe('True if the participant agreed to the consent text of the project'),
})

const code = z.string().meta({
  description: 'Identifies the conversation on the receipt; gives no access to it',
  examples: ['K7QM-2XRD'],
})

export const StartedConversation = z
  .object({
    id,
    token: z.string().describe('Returned only here; send it in X-Participant-Token'),
    project_id: id,
    chunk_seconds: z.number().int().describe('Recommended length of a chunk'),
    max_chunk_bytes: z.number().int(),
    // A stored response of a version without codes can be repeated during the day after an upgrade.
    code: code.optional(),
    withdraw_url: z.url().describe('Page on which the participant can withdraw the conversation'),
  })
  .meta({ id: 'StartedConversation' })

export const StoredChunk = z
  .object({ seq: z.number().int(), bytes: z.number().int(), sha256: z.string() })
  .meta({ id: 'StoredChunk' })

export const NewText = input({
  // NUL is removed instead of rejected: broken keyboards send it, and it has no meaning.
  content: z
    .string()
    .transform((content) => content.replaceAll('\0', '').toWellFormed())
    .pipe(
      z.string().trim().min(1, 'must not be empty').max(MAX_TEXT, `must have at most ${MAX_TEXT} characters`),
    ),
})

export const StoredText = z.object({ id }).meta({ id: 'StoredText' })

export const Heartbeat = input({
  paused: z
    .boolean()
    .optional()
    .describe(
      'Whether recording is paused, for the host who watches the room; audio that follows ends a pause',
    ),
}).nullish()

export const FinishRequest = input({
  chunks: z
    .number()
    .int()
    .min(0)
    .max(MAX_SEQ + 1)
    .optional()
    .describe(
      'Number of chunks that were sent; if some have not arrived, the response is 409 with their numbers',
    ),
  accept_missing: z
    .boolean()
    .optional()
    .describe('Finish although chunks are missing. They are gaps of the conversation until they arrive'),
  tags: tags.optional().describe('Replaces the tags of the start; people often know only at the end'),
}).nullish()

export const FinishedConversation = z.object({ id, status }).meta({ id: 'FinishedConversation' })

const range = z.tuple([z.number().int(), z.number().int()]).describe('First and last number, both included')

export const ConversationProgress = z
  .object({
    id,
    status,
    received: z.array(range),
    missing: z.array(z.number().int()).describe('Missing numbers below the highest received one'),
    code: code.nullable(),
    transcript_so_far: z
      .string()
      .describe('What was said and typed, a line each. A line that is not certain begins with `[unclear]`'),
    transcript_truncated: z.boolean().describe('True if `tail` left out the beginning'),
  })
  .meta({ id: 'ConversationProgress' })

export const ProgressQuery = z.strictObject({
  tail: z.coerce
    .number('must be a number from 1 to 10000')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(MAX_TAIL, `must be at most ${MAX_TAIL}`)
    .optional()
    .describe(
      'Returns only the end of the transcript, at most this many characters, beginning with a whole word',
    ),
})
