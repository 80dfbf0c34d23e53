import { UNCONFIRMED_WORD } from '../../../speech/types.ts'
import { lazy } from '../../lazy.ts'

/** How far before the cut words are looked for; longer ones are cut. */
export const LONGEST_WORD = 100

/** Also finds words of languages that are written without spaces. */
const words = lazy(() => new Intl.Segmenter(undefined, { granularity: 'word' }))

/** The end of a text: at most `max` characters (UTF-16 units), beginning with a whole word or mark where there is one. */
export function endOf(text: string, max: number): string {
  if (text.length <= max) return text
  const cut = text.length - max
  const from = Math.max(0, cut - LONGEST_WORD)
  for (const { segment, index } of words().segment(text.slice(from)))
    if (from + index >= cut && segment.trim() !== '' && isWord(segment))
      return text.slice(notWithinMark(text, from, from + index, cut))
  // Not within a pair of surrogates: half a character cannot be shown.
  const isSplit = /[\udc00-\udfff]/.test(text.charAt(cut)) && /[\ud800-\udbff]/.test(text.charAt(cut - 1))
  return text.slice(isSplit ? cut + 1 : cut)
}

const MARK = new RegExp(RegExp.escape(UNCONFIRMED_WORD), 'g')

/** The start of the mark that contains `at`, or what follows the mark if its start was cut. */
function notWithinMark(text: string, from: number, at: number, cut: number): number {
  for (const { 0: mark, index } of text.slice(from, at + LONGEST_WORD).matchAll(MARK)) {
    const [start, end] = [from + index, from + index + mark.length]
    if (start >= at || at >= end) continue
    if (start >= cut) return start
    return text.slice(end).trim() === '' ? at : text.length - text.slice(end).trimStart().length
  }
  return at
}

/** Punctuation belongs to the word before it, which was cut. */
const isWord = (segment: string): boolean => /[\p{L}\p{N}\p{S}]/u.test(segment)
