import { z } from 'zod'
import { pageQuery } from '../../api/pagination.ts'
import { id, input, name, text, timestamp, userId } from '../../api/schema.ts'

const ms = z.number().int().min(0)

export const Segment = z
  .object({
    id: id.describe(
      'UUID. Stays the same while a correction exists, also when the audio is transcribed again',
    ),
    start_ms: ms.describe('From the start of the conversation; grows when audio arrives late'),
    end_ms: ms,
    text: z.string().describe('As corrected, otherwise as transcribed; empty if a host removed it'),
    original_text: z.string().nullable().describe('The transcribed text of a corrected segment'),
    speaker: z
      .string()
      .nullable()
      .describe(
        'Name of the speaker, otherwise the label of the engine; null if it does not tell speakers apart',
      ),
    language: z.string().nullable().describe('ISO 639-1, if the engine detected it for this segment'),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe('How sure the engine is of the transcribed text; null if it does not report it'),
    unclear: z
      .boolean()
      .describe(
        'The confidence is low and no host has corrected the text, or no word of the text was understood',
      ),
    edited_by: userId.nullable().describe('Who corrected it last'),
    edited_at: timestamp.nullable(),
    etag: z
      .string()
      .describe(
        'The version of the text. Send it as `If-Match` with a correction: if someone else corrected the segment since, the response is 412',
      ),
  })
  .meta({ id: 'Segment' })

export type SegmentRecord = z.output<typeof Segment>

export const SegmentPatch = input({
  text: text(0, 10_000)
    .nullable()
    .optional()
    .describe(
      'The corrected text; empty removes the segment from the transcript, null restores the original',
    ),
})

export const SegmentQuery = pageQuery

const MAX_SPEAKERS = 200

const isSmall = (map: object): boolean => Object.keys(map).length <= MAX_SPEAKERS

/** Not strict: its keys are the speakers. */
export const Speakers = z
  .record(z.string(), z.string().nullable())
  .meta({ id: 'Speakers', description: 'The name of each speaker by its label; null: not named' })

export const SpeakersPatch = z
  .record(text(1, 200), name(200).nullable())
  .refine(isSmall, `must have at most ${MAX_SPEAKERS} entries`)
  .meta({
    id: 'SpeakersPatch',
    description: 'A name for each label or current name of a speaker; null removes the name',
  })
