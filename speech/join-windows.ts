import type { Segment, Word } from './types.ts'

/** How many words on each side are compared. An overlap of 1.5 s on each side has about ten. */
const REACH = 14
/** A single shared word must be at least this long: "the" can occur twice by chance. */
const MIN_SINGLE_WORD_LENGTH = 4

/** Scripts without spaces are compared character by character. */
const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*\s*|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+\s*/gu

const wordsOf = (text: string): string[] => text.match(WORDS) ?? []

const normalize = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/**
 * Joins two windows that overlap in continuous speech. The longest sequence of shared words is kept once; words after it on the left
 * and before it on the right come from truncated ends, and are dropped. `overlap`: the seconds before the right side that both cover.
 */
export function joinWindows(left: readonly Segment[], right: readonly Segment[], overlap: number): Segment[] {
  const [leftWords, rightWords] = [left.flatMap(wordsOfSegment), right.flatMap(wordsOfSegment)]
  const shared = findSharedWords(
    leftWords.slice(-REACH).map(normalize),
    rightWords.slice(0, REACH).map(normalize),
  )
  if (!shared) return [...left, ...right]
  const fromLeft = leftWords.length - Math.min(REACH, leftWords.length) + shared.leftEnd
  const [before, after] = [withWords(left, 0, fromLeft), withWords(right, shared.rightEnd, rightWords.length)]
  return splitAt(before, after, timeAfter(right, shared.rightEnd, overlap))
}

/** The time after so many words, assuming that all words of a segment take equally long. */
function timeAfter(segments: readonly Segment[], words: number, overlap: number): number {
  let counted = 0
  for (const [index, { start, end, text }] of segments.entries()) {
    const own = wordsOf(text).length
    const begin = index === 0 ? start - overlap : start
    if (words <= counted + own) return begin + ((end - begin) * (words - counted)) / own
    counted += own
  }
  return segments.at(-1)?.end ?? 0
}

/** The last segment on the left ends where the first on the right begins. */
function splitAt(before: Segment[], after: Segment[], time: number): Segment[] {
  const [last, first] = [before.at(-1), after[0]]
  if (!last || !first) return [...before, ...after]
  const at = Math.min(Math.max(time, last.start), first.end)
  return [...before.slice(0, -1), { ...last, end: at }, { ...first, start: at }, ...after.slice(1)]
}

const wordsOfSegment = ({ text }: Segment): string[] => wordsOf(text)

interface SharedWords {
  length: number
  /** Where the shared words end, in words of each side. */
  leftEnd: number
  rightEnd: number
}

function findSharedWords(left: readonly string[], right: readonly string[]): SharedWords | null {
  let best: SharedWords | null = null
  for (let leftEnd = left.length; leftEnd > 0; leftEnd--)
    for (let rightEnd = 1; rightEnd <= right.length; rightEnd++) {
      const length = sharedLengthAt(left, leftEnd, right, rightEnd)
      const isLongEnough = length > 1 || (left[leftEnd - 1]?.length ?? 0) >= MIN_SINGLE_WORD_LENGTH
      if (length > 0 && isLongEnough && (!best || length > best.length)) best = { length, leftEnd, rightEnd }
    }
  return best
}

function sharedLengthAt(
  left: readonly string[],
  leftEnd: number,
  right: readonly string[],
  rightEnd: number,
): number {
  let length = 0
  while (length < Math.min(leftEnd, rightEnd) && left[leftEnd - 1 - length] === right[rightEnd - 1 - length])
    length++
  return length
}

/** The segments with only their words from `first` to `end`, counted over all segments. Empty segments are dropped. */
function withWords(segments: readonly Segment[], first: number, end: number): Segment[] {
  let counted = 0
  return segments.flatMap((segment) => {
    const words = wordsOf(segment.text)
    const before = words.slice(0, Math.max(0, first - counted)).join('')
    const kept = words.slice(Math.max(0, first - counted), Math.max(0, end - counted)).join('')
    counted += words.length
    const text = kept.trim()
    return text === ''
      ? []
      : [{ ...segment, text, ...detailsWithin(segment, lengthOf(before), lengthOf(kept)) }]
  })
}

/** The recognised words of a part of the text. One that is cut keeps the part of its text. */
function detailsWithin({ words }: Segment, from: number, length: number): { words?: Word[] } {
  if (!words) return {}
  let at = 0
  const within = words.flatMap((word) => {
    const start = at
    at += lengthOf(word.text)
    const letters = Array.from(word.text.replaceAll(/\s/g, ''))
    const text = letters.slice(Math.max(0, from - start), Math.max(0, from + length - start)).join('')
    return text === '' ? [] : [text.length === letters.join('').length ? word : { ...word, text }]
  })
  return { words: within }
}

/** Without spaces, of which the text and its words can have different numbers. */
const lengthOf = (text: string): number => Array.from(text.replaceAll(/\s/g, '')).length
