import { MAX_UNCLEAR } from '../models/confidence.ts'
import type { Segment, Word } from '../types.ts'
import { capitalized, endsBeforeSmallLetter, endsSentence, isSentenceEnd } from './sentence-ends.ts'

/** Shorter segments are easy to read as they are. */
const LONG = 10
/** Sentences are put together until they have this length. */
const SHORTEST = 3
/** In long speech without punctuation, a pause of this length between words is a break. */
const PAUSE = 0.4
/** A new sentence probably begins after a pause of this length. */
const LONG_PAUSE = 1
/** Segments near the end of the audio are transcribed again with the audio that follows, from their exact beginning. */
const NEAR_END = 3

/**
 * Splits long segments where sentences end, and begins sentences with a capital. Words and their order never change. Segments without
 * words, of which the engine is unsure, stay as they are.
 */
export function breakSentences(segments: readonly Segment[], audioEnd: number): Segment[] {
  let before: Segment | null = null
  return segments
    .map(withinSegment)
    .map(withInnerCapitals)
    .flatMap((segment) => {
      const isContinued =
        before !== null && !endsSentence(before.text) && segment.start - before.end < LONG_PAUSE
      const isSplit = segment.end - segment.start > LONG && segment.end < audioEnd - NEAR_END
      before = segment
      const [first = segment, ...others] = isSplit ? splitSegment(segment) : [segment]
      return [isContinued ? first : withCapital(first), ...others.map(withCapital)]
    })
}

function withCapital(segment: Segment): Segment {
  const text = capitalized(segment.text, segment.language)
  const [first, ...others] = segment.words ?? []
  if (text === segment.text || !first) return { ...segment, text }
  return {
    ...segment,
    text,
    words: [{ ...first, text: capitalized(first.text, segment.language) }, ...others],
  }
}

/** Sentences within an English segment. In other languages Whisper writes the capitals, and a small letter follows an abbreviation. */
function withInnerCapitals(segment: Segment): Segment {
  const { words = [] } = segment
  if (segment.language !== 'en') return segment
  const changed = words.map((word, index) =>
    index > 0 && endsBeforeSmallLetter(words[index - 1]?.text ?? '')
      ? { ...word, text: capitalized(word.text, 'en') }
      : word,
  )
  const places = placesOf(segment.text, words)
  if (!places) return segment
  // A capital is as long as its small letter, so that the places stay right.
  const text = changed.reduce((whole, word, index) => {
    const at = places[index] as number
    return whole.slice(0, at) + word.text + whole.slice(at + word.text.length)
  }, segment.text)
  return text === segment.text ? segment : { ...segment, text, words: changed }
}

function splitSegment(segment: Segment): Segment[] {
  const { words = [] } = segment
  const groups = groupsOf(words)
  if (groups.length < 2) return [segment]
  const texts = textsOf(segment.text, groups)
  if (!texts) return [segment]
  return groups.map((group, index) => ({
    ...segment,
    text: texts[index] as string,
    words: group,
    start: index === 0 ? segment.start : (group[0]?.start ?? segment.start),
    end: index === groups.length - 1 ? segment.end : (group.at(-1)?.end ?? segment.end),
    ...confidenceOf(segment, group),
  }))
}

/** By sentences; by pauses, if the engine gave no punctuation. */
function groupsOf(words: readonly Word[]): Word[][] {
  const bySentence = groupBy(words, (word, next) => isSentenceEnd(word.text, next.text))
  const isPunctuated = words.slice(0, -1).some(({ text }) => endsSentence(text))
  return bySentence.length > 1 || isPunctuated
    ? bySentence
    : groupBy(words, (word, next) => next.start - word.end >= PAUSE)
}

/** Begins a new group after each break, unless the group or the rest is short. */
function groupBy(words: readonly Word[], isBreak: (word: Word, next: Word) => boolean): Word[][] {
  const end = words.at(-1)?.end ?? 0
  const groups: Word[][] = [[]]
  words.forEach((word, index) => {
    const group = groups.at(-1) as Word[]
    group.push(word)
    const next = words[index + 1]
    const start = group[0]?.start ?? 0
    if (next && isBreak(word, next) && word.end - start >= SHORTEST && end - next.start >= SHORTEST)
      groups.push([])
  })
  return groups
}

/** The text of each group as it is in the whole text; null if the words are not those of the text. */
function textsOf(text: string, groups: readonly Word[][]): string[] | null {
  const places = placesOf(text, groups.flat())
  if (!places) return null
  let first = 0
  const begins = groups.map((group) => {
    const begin = places[first] as number
    first += group.length
    return begin
  })
  return begins.map((_, index) => text.slice(index === 0 ? 0 : begins[index], begins[index + 1]).trim())
}

/** Where each word begins in the text; null if the words are not those of the text. */
function placesOf(text: string, words: readonly Word[]): number[] | null {
  let at = 0
  const places: number[] = []
  for (const word of words) {
    const found = text.indexOf(word.text, at)
    if (found < 0 || text.slice(at, found).trim() !== '') return null
    places.push(found)
    at = found + word.text.length
  }
  return text.slice(at).trim() === '' ? places : null
}

/** Parts of a segment differ in confidence as their words do, but all parts of one that is marked as unclear stay so. */
function confidenceOf({ confidence, words = [] }: Segment, part: readonly Word[]): { confidence?: number } {
  if (confidence === undefined) return {}
  const [ofPart, ofWhole] = [meanLog(part), meanLog(words)]
  const own = confidence === 0 || ofWhole === 0 ? confidence : confidence ** (ofPart / ofWhole)
  return { confidence: confidence <= MAX_UNCLEAR ? Math.min(own, MAX_UNCLEAR) : own }
}

const LEAST = 1e-6

const meanLog = (words: readonly Word[]): number =>
  words.reduce((sum, { confidence }) => sum + Math.log(Math.max(confidence, LEAST)), 0) /
  Math.max(1, words.length)

/** Estimated times are brought into the segment, in order, to the millisecond. */
function withinSegment({ words, ...segment }: Segment): Segment {
  if (!words || words.length === 0) return segment
  let earliest = segment.start
  const limited = words.map((word) => {
    const start = Math.min(Math.max(toMilliseconds(word.start), earliest), segment.end)
    const end = Math.min(Math.max(toMilliseconds(word.end), start), segment.end)
    earliest = end
    return { ...word, start, end }
  })
  return { ...segment, words: limited }
}

const toMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000
