import { z } from 'zod'
import { EngineFailure } from '../../../engines/engine-failure.ts'
import type { Accepted } from '../../../engines/openai/classify-response.ts'
import { parseJson } from '../../../engines/openai/read-error.ts'
import type { Segment } from '../../transcriber.ts'
import { languageCode } from './languages.ts'

export interface SpeechResponse {
  language: string | null
  text: string
  /** In seconds of the part, in order; null if the server returned no valid timestamps. */
  segments: Segment[] | null
  /** Whether it returned timestamps at all, valid or not. */
  hasTimestamps: boolean
}

/** vLLM sends some numbers as strings. */
const number = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+(\.\d+)?$/)
    .transform(Number),
])
const optionalNumber = number.optional().catch(undefined)
const segmentShape = z.object({
  start: number,
  end: number,
  text: z.string(),
  no_speech_prob: optionalNumber,
  avg_logprob: optionalNumber,
})
const name = z.string().nullish().catch(undefined)
const responseShape = z.object({
  text: z.string(),
  language: name,
  languages: z.array(z.string()).nullish().catch(undefined),
  segments: z.array(segmentShape).nullish().catch(undefined),
})
type ServerSegment = z.output<typeof segmentShape>

/** Rounding can put times a little past the end. */
const LEEWAY_SECONDS = 1
/** Whisper's own rule for text that it invented for silence. */
const isHallucination = ({ no_speech_prob = 0, avg_logprob = 0 }: ServerSegment) =>
  no_speech_prob > 0.6 && avg_logprob < -1

/** `length`: of the part, in seconds. */
export function readSpeechResponse({ contentType, text }: Accepted, length: number): SpeechResponse {
  if (contentType === 'text/plain' && !text.trimStart().startsWith('{'))
    return { language: null, text: text.trim(), segments: null, hasTimestamps: false }
  const response = responseShape.safeParse(parseJson(text))
  if (!response.success)
    throw new EngineFailure('unavailable', 'the model server’s response is not a transcription')
  const { data } = response
  const language = data.language ?? data.languages?.[0]
  return {
    language: language ? languageCode(language) : null,
    text: data.text.trim(),
    segments: timed(data.segments ?? [], length),
    hasTimestamps: (data.segments ?? []).length > 0,
  }
}

/** Null if the times are invalid: some servers use other units. */
function timed(received: ServerSegment[], length: number): Segment[] | null {
  const isValid = received.every(
    ({ start, end }) => start >= 0 && end >= start && end <= length + LEEWAY_SECONDS,
  )
  if (received.length === 0 || !isValid) return null
  let last = 0
  return received
    .filter((segment) => segment.text.trim() !== '' && !isHallucination(segment))
    .sort((a, b) => a.start - b.start)
    .map(({ start, end, text }) => {
      const from = Math.min(Math.max(start, last), length)
      last = Math.min(Math.max(end, from), length)
      return { start: from, end: last, text: text.trim() }
    })
}
