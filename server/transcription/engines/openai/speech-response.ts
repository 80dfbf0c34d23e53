import { z } from 'zod'
import { EngineFailure } from '../../../engines/engine-failure.ts'
import type { Accepted } from '../../../engines/openai/classify-response.ts'
import { parseJson } from '../../../engines/openai/read-error.ts'
import type { Segment, Word } from '../../transcriber.ts'
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
const name = z.string().nullish().catch(undefined)
/** Some self-hosted servers add a probability to each word; without one, words are left out. */
const wordShape = z.object({ word: z.string(), start: number, end: number, probability: number })
const wordsShape = z.array(wordShape).nullish().catch(undefined)
const segmentShape = z.object({
  start: number,
  end: number,
  text: z.string(),
  no_speech_prob: optionalNumber,
  avg_logprob: optionalNumber,
  language: name,
  speaker: name,
  words: wordsShape,
})
const responseShape = z.object({
  text: z.string(),
  language: name,
  languages: z.array(z.string()).nullish().catch(undefined),
  words: wordsShape,
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
    segments: timed(withWords(data), length),
    hasTimestamps: (data.segments ?? []).length > 0,
  }
}

/** Words are within their segments, or in one list for all. */
function withWords({ segments, words }: z.output<typeof responseShape>): ServerSegment[] {
  if (!words) return segments ?? []
  return (segments ?? []).map((segment) => ({
    ...segment,
    words: segment.words ?? words.filter(({ start }) => start >= segment.start && start < segment.end),
  }))
}

/** Null if the times are invalid: some servers use other units. */
function timed(received: ServerSegment[], length: number): Segment[] | null {
  const isValid = received.every(
    ({ start, end }) => start >= 0 && end >= start && end <= length + LEEWAY_SECONDS,
  )
  if (received.length === 0 || !isValid) return null
  let last = 0
  // Servers that do not compute it send 0 for every segment.
  const isReported = received.some(({ avg_logprob }) => avg_logprob !== undefined && avg_logprob !== 0)
  return received
    .filter((segment) => segment.text.trim() !== '' && !isHallucination(segment))
    .sort((a, b) => a.start - b.start)
    .map((segment) => {
      const from = Math.min(Math.max(segment.start, last), length)
      last = Math.min(Math.max(segment.end, from), length)
      const details = detailsOf(segment, isReported)
      return { start: from, end: last, text: segment.text.trim(), ...details }
    })
}

function detailsOf(
  { language, speaker, words, avg_logprob, no_speech_prob = 0 }: ServerSegment,
  isReported: boolean,
): Partial<Segment> {
  const code = language ? languageCode(language) : null
  return {
    ...(code && { language: code }),
    ...(speaker?.trim() && { speaker: speaker.trim() }),
    ...(isReported && avg_logprob !== undefined && { confidence: confidenceOf(avg_logprob, no_speech_prob) }),
    ...(words && words.length > 0 && { words: words.map(toWord) }),
  }
}

/** The geometric mean of the tokens’ probabilities, at most the probability that there is speech at all. */
const confidenceOf = (logProbability: number, noSpeech: number): number =>
  Math.min(Math.exp(Math.min(logProbability, 0)), 1 - Math.min(Math.max(noSpeech, 0), 1))

const toWord = ({ word, start, end, probability }: z.output<typeof wordShape>): Word => ({
  text: word.trim(),
  start,
  end: Math.max(start, end),
  confidence: Math.min(Math.max(probability, 0), 1),
})
