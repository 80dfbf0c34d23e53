import { memoized } from '../../../../../grounding/languages/language.ts'
import { lexiconFor } from '../../../../../grounding/text/lexicon.ts'
import { cuesOf } from '../languages/index.ts'
import { isGeneric } from '../stems.ts'

/**
 * Whether a title can be understood without the sentences around it. `reference`: a pronoun stands before everything that it could be
 * about. `vague`: it names no subject, or a reader can do without knowing who "they" are.
 */
export function contextOf(
  title: string,
  locale: string,
): { gaps: 'none' | 'vague' | 'reference'; subjects: number } {
  const patterns = patternsFor(locale)
  if (patterns === null) return { gaps: 'none', subjects: 0 }
  const text = title.toLocaleLowerCase(locale).replaceAll('’', "'")
  const found = patterns.subjectsIn(text)
  const [first = text.length, ...others] = found
  const isBefore = (pattern: RegExp) => {
    const { 0: match = '', index = text.length } = pattern.exec(text) ?? {}
    // Right before a pronoun is a verb: "people lock them".
    const subject =
      OBJECT.test(match) && isFollowedBy(text, first, index) ? (others[0] ?? text.length) : first
    return index < text.length && index <= subject
  }
  const isVague = found.length === 0 || isBefore(patterns.vague)
  const gaps = isBefore(patterns.refers) ? 'reference' : isVague ? 'vague' : 'none'
  return { gaps, subjects: patterns.introduces.test(text) ? 0 : found.length }
}

const OBJECT = /^(?:it|them|him|hem|hen|ihn|ihm|ihnen)$/u

const isFollowedBy = (text: string, start: number, next: number): boolean =>
  /^[\p{L}\p{N}'-]+ $/u.test(text.slice(start, next))

const patternsFor = memoized((locale: string) => {
  const cues = cuesOf(locale)
  if (!cues) return null
  const { refers, vague, introduces } = cues.titles
  const wholeWords = (pattern: string) => new RegExp(`(?<!\\p{L})(?:${pattern})(?!\\p{L})`, 'u')
  const lexicon = lexiconFor(locale)
  /** Where the words that name a subject begin. */
  const subjectsIn = (text: string): number[] =>
    Array.from(text.matchAll(/[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu)).flatMap(({ 0: word, index }) => {
      const keys = lexicon.terms(word).flatMap((term) => term?.key ?? [])
      return keys.some((key) => !isGeneric(key, locale)) ? [index] : []
    })
  return {
    refers: wholeWords(refers),
    vague: wholeWords(vague),
    introduces: new RegExp(`^(?:${introduces})(?!\\p{L})`, 'u'),
    subjectsIn,
  }
})
