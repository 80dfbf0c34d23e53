import { z } from 'zod'
import { id, input, languageTag, name, text } from '../../api/schema.ts'
import { status } from '../schema.ts'

/** Text follows speech after this and the time of its transcription (docs/decisions/0029). */
export const CHUNK_SECONDS = 5
export const MAX_CHUNK_BYTES = 25 * 1024 * 1024
export const MAX_SEQ = 99_999
const MAX_TEXT = 100_000

export const Portal = z
  .object({
    id,
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
    privacy_url: z
      .string()
      .nullable()
      .describe('An https URL; null if there is none, or if the stored URL is http or contains a user name'),
  })
  .meta({ id: 'Portal' })

const email = text(3, 320).pipe(z.email('must be an e-mail address'))

export const StartConversation = input({
  participant_name: name(200).nullish(),
  participant_email: email.nullish(),
  tags: z
    .array(name(100))
    .max(100, 'must have at most 100 entries')
    .default([])
    .transform((tags) => [...new Set(tags)]),
  language: languageTag
    .nullish()
    .describe('The `language` of the project or one of its `languages`, in any regional form'),
  consent: z
    .boolean()
    .optional()
    .describe('True if the participant agreed to the consent text of the project'),
})

export const StartedConversation = z
  .object({
    id,
    token: z.string().describe('Returned only here; send it in X-Participant-Token'),
    project_id: id,
    chunk_seconds: z.number().int().describe('Recommended length of a chunk'),
    max_chunk_bytes: z.number().int(),
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
}).nullish()

export const FinishedConversation = z.object({ id, status }).meta({ id: 'FinishedConversation' })

const range = z.tuple([z.number().int(), z.number().int()]).describe('First and last number, both included')

export const ConversationProgress = z
  .object({
    id,
    status,
    received: z.array(range),
    missing: z.array(z.number().int()).describe('Missing numbers below the highest received one'),
    transcript_so_far: z.string(),
  })
  .meta({ id: 'ConversationProgress' })
