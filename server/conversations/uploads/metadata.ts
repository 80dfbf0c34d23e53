import { z } from 'zod'
import { fromZodError } from '../../api/problems.ts'
import { input, moment } from '../../api/schema.ts'
import { StartConversation } from '../participant/schema.ts'
import { ConversationPatch } from '../schema.ts'

/** As the tus server passes it: text by name, null for a name without a value. */
export type RawMetadata = Record<string, string | null>

/** Fields that upload clients send on their own. They are ignored: the bytes determine the format. */
const IGNORED = new Set(['filename', 'filetype', 'name', 'type', 'relativePath'])

const started_at = moment
  .refine((time) => Date.parse(time) <= Date.now(), 'must not be in the future')
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
  const used = Object.entries(raw).filter(([name]) => !IGNORED.has(name))
  const { data, error } = schema.safeParse(Object.fromEntries(used))
  if (error) throw fromZodError(error)
  return data
}
