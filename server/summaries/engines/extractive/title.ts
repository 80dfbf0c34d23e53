import { memoized } from '../../../../grounding/languages/language.ts'
import { breakBefore } from '../../../../grounding/text/sentences.ts'
import { marked, readable } from '../../unclear-words.ts'
import { cuesOf } from './languages/index.ts'
import { openingOf } from './opening.ts'
import type { Passage } from './passages.ts'

const MAX_TITLE_CHARACTERS = 80
/** A shorter clause says too little. */
const MIN_WORDS = 3

/** The sentence, or the clause of it that says most; null if there is no text. */
export function titleOf(passage: Passage | undefined): string | null {
  if (!passage) return null
  const title = clearTitle(passage)
  return title && passage.unclear ? marked(title) : title
}

function clearTitle({ text, concern, locale }: Passage): string | null {
  const sentence = text.replace(/\s/gu, ' ')
  const start = dispensableOf(sentence, locale)
  const clause = clauseOf(sentence.slice(start), Math.max(0, concern.start - start), locale)
  return (
    capitalized(withoutEnd(readable(clause.slice(dispensableOf(clause, locale))))) ||
    capitalized(clip(readable(sentence))) ||
    null
  )
}

/** The opening of a sentence, if enough is left for a title. */
function dispensableOf(sentence: string, locale: string): number {
  const length = openingOf(sentence, locale)
  return /\p{L}\s+\p{L}/u.test(sentence.slice(length)) ? length : 0
}

/** The whole sentence if it is short enough, else its clauses around a position, as many as fit. */
function clauseOf(sentence: string, position: number, locale: string): string {
  if (sentence.length <= MAX_TITLE_CHARACTERS) return sentence
  for (const boundary of [/(?<=[,;:–—])\s+/gu, conjunctionFor(locale)]) {
    const chosen = boundary && widestClause(sentence, position, boundary)
    if (chosen) return chosen
  }
  return `${clip(sentence.slice(0, MAX_TITLE_CHARACTERS - 1).replace(/\s\S*$/u, ''))}…`
}

const conjunctionFor = memoized((locale: string): RegExp | null => {
  const cues = cuesOf(locale)
  return cues ? new RegExp(`(?:(?<=[,;:–—])\\s+|\\s+(?=(?:${cues.conjunctions})\\s))`, 'giu') : null
})

/** The clause at the position, then those after and before it while they fit. Null if it is too long or too short. */
function widestClause(sentence: string, position: number, boundary: RegExp): string | null {
  const starts = [
    0,
    ...Array.from(sentence.matchAll(boundary), ({ index, 0: space }) => index + space.length),
  ]
  const ends = [...starts.slice(1), sentence.length]
  let first = starts.findLastIndex((start) => start <= position)
  let last = first
  const between = (from: number, to: number) => sentence.slice(starts[from], ends[to]).trim()
  const fits = (from: number, to: number) =>
    from >= 0 && to < starts.length && between(from, to).length <= MAX_TITLE_CHARACTERS
  if (!fits(first, last)) return null
  while (fits(first, last + 1)) last++
  while (fits(first - 1, last)) first--
  const chosen = between(first, last)
  return chosen.split(' ').length >= MIN_WORDS ? chosen : null
}

/** One short line without punctuation at its end. */
export function clip(text: string, limit = MAX_TITLE_CHARACTERS): string {
  const line = text.replace(/\s+/gu, ' ').trim()
  return withoutEnd(line.length > limit ? line.slice(0, breakBefore(line, limit)) : line)
}

const withoutEnd = (text: string): string =>
  text
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/(?:[\s\p{P}](?<!\p{L}…))+$/u, '')

export const capitalized = (text: string): string =>
  text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
