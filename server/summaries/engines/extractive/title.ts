import { breakBefore } from '../../../../grounding/text/sentences.ts'
import type { Keyword } from './keywords.ts'
import type { Passage } from './passages.ts'

const MAX_CHARACTERS = 60
const WORDS = 3
const TRAILING = /[\s\p{P}]+$/u

/** The most important keywords, else the first words; null if there is no text. */
export function titleOf(keywords: readonly Keyword[], passages: readonly Passage[]): string | null {
  const strongest = keywords.slice(0, WORDS).map(({ surface }) => surface)
  const first = passages.find(({ keys }) => keys.length > 0) ?? passages[0]
  const title = clip(strongest.length >= 2 ? strongest.join(', ') : (first?.text ?? ''))
  return title === '' ? null : title.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
}

/** One short line without punctuation at its end. */
export function clip(text: string, limit = MAX_CHARACTERS): string {
  const line = text.replace(/\s+/gu, ' ').trim()
  const short = line.length > limit ? line.slice(0, breakBefore(line, limit)) : line
  return short.replace(TRAILING, '')
}
