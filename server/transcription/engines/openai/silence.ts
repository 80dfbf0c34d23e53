import type { SpeechResponse } from './speech-response.ts'

/** In seconds of the uploaded part. */
export interface VoiceSpan {
  start: number
  end: number
}

/** Servers report times of speech up to a second too early or too late. */
const TOLERANCE_SECONDS = 1

/** Without segments in which no one speaks. Text without timestamps stays, because its place is not known. */
export function withinSpeech(response: SpeechResponse, spoken: readonly VoiceSpan[]): SpeechResponse {
  const isSpoken = ({ start, end }: VoiceSpan): boolean =>
    spoken.some((span) => start < span.end + TOLERANCE_SECONDS && end > span.start - TOLERANCE_SECONDS)
  return { ...response, segments: response.segments?.filter(isSpoken) ?? null }
}
