import { z } from 'zod'
import { fromZodError } from '../../api/problems.ts'
import { input, moment } from '../../api/schema.ts'
import { StartConversation } from '../participant/schema.ts'
import { ConversationPatch } from '../schema.ts'

/** As tus hands it over: text by name, null where only the name was sent. */
export type RawMetadata = Record<string, string | null>

/** What upload clients tell of a file by themselves. None of it is believed: the bytes decide. */
const UNHEEDED = new Set(['filename', 'filetype', 'name', 'type', 'relativePath'])

const started_at = moment
  .refine((time) => Date.parse(time) <= Date.now(), 'must not lie in the future')
  .nullish()

const jsonText = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    context.addIssue({ code: 'custom', message: 'must be a JSON array' })
    return z.NEVER
  }
})

const { participant_name, language, tags } = StartConversation.shape

export const RecordingMetadata = input({ started_at })

export const HostMetadata = input({
  started_at,
  title: ConversationPatch.shape.title,
  participant_name,
  language,
  tags: jsonText.pipe(tags).nullish(),
})

export function readMetadata<S extends z.ZodType>(schema: S, raw: RawMetadata = {}): z.output<S> {
  const heeded = Object.entries(raw).filter(([name]) => !UNHEEDED.has(name))
  const { data, error } = schema.safeParse(Object.fromEntries(heeded))
  if (error) throw fromZodError(error)
  return data
}
