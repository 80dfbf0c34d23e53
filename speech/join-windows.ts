import type { Segment } from '../server/transcription/transcriber.ts'

/** Words on each side of a seam in which the shared ones are looked for: 1.5 s each way hold about ten. */
const REACH = 14
/** One word alone proves little if it is short, as "the" may come twice. */
const TELLING_LENGTH = 4

/** Scripts without spaces are compared letter by letter. */
const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*\s*|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+\s*/gu

const wordsOf = (text: string): string[] => text.match(WORDS) ?? []

const bare = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/**
 * Both sides heard the same seconds around a cut through running speech. The longest run of words that both have is kept
 * once; what the left says after it and the right before it is the same sound, heard cut off, and goes. The cut moves to where
 * that run ends, so that the times belong to the words. `lead`: the seconds before its first start that the right heard, too.
 */
export function joinAtSeam(left: readonly Segment[], right: readonly Segment[], lead: number): Segment[] {
  const [leftWords, rightWords] = [left.flatMap(wordsOfSegment), right.flatMap(wordsOfSegment)]
  const shared = sharedRun(leftWords.slice(-REACH).map(bare), rightWords.slice(0, REACH).map(bare))
  if (!shared) return [...left, ...right]
  const fromLeft = leftWords.length - Math.min(REACH, leftWords.length) + shared.leftEnd
  const [before, after] = [withWords(left, 0, fromLeft), withWords(right, shared.rightEnd, rightWords.length)]
  return cutAt(before, after, timeAfter(right, shared.rightEnd, lead))
}

/** When so many words had been said, as if all of a segment took equally long. */
function timeAfter(segments: readonly Segment[], words: number, lead: number): number {
  let counted = 0
  for (const [index, { start, end, text }] of segments.entries()) {
    const own = wordsOf(text).length
    const begin = index === 0 ? start - lead : start
    if (words <= counted + own) return begin + ((end - begin) * (words - counted)) / own
    counted += own
  }
  return segments.at(-1)?.end ?? 0
}

/** The last of one side ends where the first of the other begins. */
function cutAt(before: Segment[], after: Segment[], time: number): Segment[] {
  const [last, first] = [before.at(-1), after[0]]
  if (!last || !first) return [...before, ...after]
  const at = Math.min(Math.max(time, last.start), first.end)
  return [...before.slice(0, -1), { ...last, end: at }, { ...first, start: at }, ...after.slice(1)]
}

const wordsOfSegment = ({ text }: Segment): string[] => wordsOf(text)

interface SharedRun {
  length: number
  /** Where the run ends, in words of each side. */
  leftEnd: number
  rightEnd: number
}

function sharedRun(left: readonly string[], right: readonly string[]): SharedRun | null {
  let best: SharedRun | null = null
  for (let leftEnd = left.length; leftEnd > 0; leftEnd--)
    for (let rightEnd = 1; rightEnd <= right.length; rightEnd++) {
      const length = runEndingAt(left, leftEnd, right, rightEnd)
      const isTelling = length > 1 || (left[leftEnd - 1]?.length ?? 0) >= TELLING_LENGTH
      const run = { length, leftEnd, rightEnd }
      if (length > 0 && isTelling && (!best || length > best.length)) best = run
    }
  return best
}

function runEndingAt(
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

/** The segments with their words from `first` up to `end`, counted over all of them; empty ones fall away. */
function withWords(segments: readonly Segment[], first: number, end: number): Segment[] {
  let counted = 0
  return segments.flatMap((segment) => {
    const words = wordsOf(segment.text)
    const text = words
      .slice(Math.max(0, first - counted), Math.max(0, end - counted))
      .join('')
      .trim()
    counted += words.length
    return text === '' ? [] : [{ ...segment, text }]
  })
}
