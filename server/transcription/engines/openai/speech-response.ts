import { z } from 'zod'
import { EngineFailure } from '../../../engines/engine-failure.ts'
import type { Accepted } from '../../../engines/openai/classify-response.ts'
import { parseJson } from '../../../engines/openai/read-error.ts'
import type { Segment } from '../../transcriber.ts'
import { languageCode } from './languages.ts'

export interface SpeechAnswer {
  language: string | null
  text: string
  /** Seconds from the piece's beginning, in order; null: the server told no times, or none that can be. */
  segments: Segment[] | null
  /** Whether it told times at all, be they right or wrong. */
  tellsTimes: boolean
}

/** vLLM writes some numbers as text. */
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
const answerShape = z.object({
  text: z.string(),
  language: name,
  languages: z.array(z.string()).nullish().catch(undefined),
  segments: z.array(segmentShape).nullish().catch(undefined),
})
type HeardSegment = z.output<typeof segmentShape>

/** Times may be a little beyond the end, by rounding. */
const LEEWAY_SECONDS = 1
/** Whisper's own rule for what it made up in a silence. */
const isMadeUp = ({ no_speech_prob = 0, avg_logprob = 0 }: HeardSegment) =>
  no_speech_prob > 0.6 && avg_logprob < -1

/** `length`: of the piece, in seconds. */
export function readSpeechAnswer({ contentType, text }: Accepted, length: number): SpeechAnswer {
  if (contentType === 'text/plain' && !text.trimStart().startsWith('{'))
    return { language: null, text: text.trim(), segments: null, tellsTimes: false }
  const answer = answerShape.safeParse(parseJson(text))
  if (!answer.success) throw new EngineFailure('unavailable', 'the model server’s answer is no transcription')
  const { data } = answer
  const said = data.language ?? data.languages?.[0]
  return {
    language: said ? languageCode(said) : null,
    text: data.text.trim(),
    segments: timed(data.segments ?? [], length),
    tellsTimes: (data.segments ?? []).length > 0,
  }
}

/** Some servers count in other units, or not at all. */
function timed(heard: HeardSegment[], length: number): Segment[] | null {
  const isSound = heard.every(
    ({ start, end }) => start >= 0 && end >= start && end <= length + LEEWAY_SECONDS,
  )
  if (heard.length === 0 || !isSound) return null
  let last = 0
  return heard
    .filter((segment) => segment.text.trim() !== '' && !isMadeUp(segment))
    .sort((a, b) => a.start - b.start)
    .map(({ start, end, text }) => {
      const from = Math.min(Math.max(start, last), length)
      last = Math.min(Math.max(end, from), length)
      return { start: from, end: last, text: text.trim() }
    })
}
