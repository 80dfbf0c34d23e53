import { asUnclear } from './models/confidence.ts'
import { type Segment, UNCONFIRMED_WORD } from './types.ts'
import type { SpeechSegment } from './vad/find-speech.ts'

/** Seconds of speech without text that are not marked: phrases have inexact times. */
const LONGEST_GAP = 2

/** In clipped speech, most texts with a lower confidence have wrong words, and hardly any others. */
export const CLEAR_IN_CLIPPED = 0.87

/** Marks segments that lie mostly in faint stretches, in unclear clipped ones or in lone words, and stretches without text. */
export function withMarks(
  segments: Segment[],
  stretches: readonly SpeechSegment[],
  lone: readonly SpeechSegment[],
  language: string,
): Segment[] {
  const faint = stretches.filter(({ isFaint }) => isFaint)
  const clipped = stretches.filter(({ isClipped }) => isClipped)
  const marked = segments.map((segment) => {
    const isUnsure = (segment.confidence ?? 0) < CLEAR_IN_CLIPPED
    const unclear = [...faint, ...lone, ...(isUnsure ? clipped : [])]
    return isWithin(segment, unclear) ? asUnclear(segment) : segment
  })
  const missing = faint
    .filter(({ start, end }) => !segments.some((segment) => segment.start < end && segment.end > start))
    .map(({ start, end }) => asUnclear({ start, end, text: '', language }))
  const gaps = unclearGaps([...segments, ...missing], stretches, language)
  return joinMarks([...marked, ...missing, ...gaps].toSorted((one, other) => one.start - other.start))
}

/** One mark instead of several in a row. */
function joinMarks(segments: readonly Segment[]): Segment[] {
  const joined: Segment[] = []
  for (const segment of segments) {
    const before = joined.at(-1)
    const isRepeated = before?.text === UNCONFIRMED_WORD && segment.text === UNCONFIRMED_WORD
    if (before && isRepeated && segment.start - before.end < LONGEST_GAP)
      joined[joined.length - 1] = { ...before, end: Math.max(before.end, segment.end) }
    else joined.push(segment)
  }
  return joined
}

export type Timed = Pick<Segment, 'start' | 'end'>

/** Whether its middle is in one of the stretches. */
export function isWithin({ start, end }: Timed, stretches: readonly SpeechSegment[]): boolean {
  const middle = (start + end) / 2
  return stretches.some((stretch) => stretch.start <= middle && middle <= stretch.end)
}

/** Marks speech for which a model wrote nothing, so that it is not silently missing. */
export function unclearGaps(
  segments: readonly Segment[],
  stretches: readonly SpeechSegment[],
  language: string,
): Segment[] {
  return stretches.flatMap(({ start, end }) => {
    const within = segments.filter((segment) => segment.end > start && segment.start < end)
    const ends = [start, ...within.map((segment) => segment.end)]
    const starts = [...within.map((segment) => segment.start), end]
    return ends
      .map((from, index) => ({ start: from, end: starts[index] ?? end }))
      .filter((gap) => gap.end - gap.start >= LONGEST_GAP)
      .map((gap) => asUnclear({ ...gap, text: '', language }))
  })
}
