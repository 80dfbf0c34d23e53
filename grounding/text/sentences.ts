import { inAllLanguages } from '../languages/index.ts'
import { memoized, words } from '../languages/language.ts'
import { localeOf } from './lexicon.ts'

/** Longer sentences are split: a transcript without full stops would be one sentence. */
const MAX_CHARACTERS = 300
const ABBREVIATIONS = new Set(inAllLanguages(({ abbreviations }) => abbreviations).flatMap(words))
const LAST_WORD = /([\p{L}.]+)\.\s*$/u
const segmenterFor = memoized((locale: string) => new Intl.Segmenter(locale, { granularity: 'sentence' }))

/** The sentences of a text, each exactly as in the text. */
export function sentencesOf(text: string, language: string | null): string[] {
  const sentences: string[] = []
  let held = ''
  for (const { segment } of segmenterFor(localeOf(language)).segment(text)) {
    held += segment
    if (endsInAbbreviation(held)) continue
    sentences.push(...splitLong(held))
    held = ''
  }
  sentences.push(...splitLong(held))
  return sentences
}

/** Includes initials, as in `J. Jansen`. */
function endsInAbbreviation(text: string): boolean {
  const word = LAST_WORD.exec(text.slice(-24))?.[1]?.toLowerCase()
  return word !== undefined && (ABBREVIATIONS.has(word) || /^\p{L}$/u.test(word))
}

/** A trimmed sentence, in parts if it is too long; empty if there is no text. */
function splitLong(sentence: string): string[] {
  const parts: string[] = []
  let rest = sentence.trim()
  while (rest.length > MAX_CHARACTERS) {
    const at = breakBefore(rest, MAX_CHARACTERS)
    parts.push(rest.slice(0, at).trim())
    rest = rest.slice(at).trim()
  }
  if (rest !== '') parts.push(rest)
  return parts
}

/** Where to break a text: after a comma or at white space in the second half, else at the limit, but not within a character. */
export function breakBefore(text: string, limit: number): number {
  const head = text.slice(0, limit)
  const half = limit / 2
  const comma = Math.max(...[', ', '; ', ': ', '、', '，', '، '].map((mark) => head.lastIndexOf(mark)))
  if (comma > half) return comma + 1
  const space = head.search(/\s\S*$/)
  if (space > half) return space
  return /[\udc00-\udfff]/.test(text.charAt(limit)) ? limit - 1 : limit
}
