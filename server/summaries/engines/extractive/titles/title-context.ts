import { memoized } from '../../../../../grounding/languages/language.ts'
import { lexiconFor } from '../../../../../grounding/text/lexicon.ts'
import { cuesOf } from '../languages/index.ts'
import { isGeneric } from '../words/stems.ts'

/**
 * Whether a title can be understood without the sentences around it. `reference`: a pronoun stands before everything that it could be
 * about. `vague`: it names no subject, or a reader can do without knowing who "they" are.
 */
export function contextOf(
  title: string,
  locale: string,
): { gaps: 'none' | 'vague' | 'reference'; subjects: number; hasNoun: boolean } {
  const patterns = patternsFor(locale)
  if (patterns === null) return { gaps: 'none', subjects: 0, hasNoun: true }
  const written = title.replaceAll('’', "'").replace(/^\p{Lu}/u, (letter) => letter.toLowerCase())
  const text = written.toLocaleLowerCase(locale)
  const found = patterns.subjectsIn(text)
  const [first = text.length] = found
  const noun = found.find((start) => patterns.isNoun(written, start)) ?? text.length
  const isBefore = (pattern: RegExp, subject: number, said = text) => {
    const index = pattern.exec(said)?.index ?? said.length
    return index < said.length && index <= subject
  }
  // A verb or an adjective is not what a pronoun is about: "it would be sad to lose it".
  const refers = isBefore(patterns.refers, first) || isBefore(patterns.objects, noun, written)
  const isVague = found.length === 0 || isBefore(patterns.vague, first)
  return {
    gaps: refers ? 'reference' : isVague ? 'vague' : 'none',
    subjects: patterns.introduces.test(text) ? 0 : found.length,
    hasNoun: noun < text.length,
  }
}

/** `l'école` is one word here. */
const ELIDED_ARTICLE = /^(?:l|d|un|dell|all|nell|sull|dall|quell)'\p{L}/iu

const patternsFor = memoized((locale: string) => {
  const cues = cuesOf(locale)
  if (!cues) return null
  const { refers, objects, vague, introduces, auxiliaries } = cues.titles
  const wholeWords = (pattern: string) => new RegExp(`(?<!\\p{L})(?:${pattern})(?!\\p{L})`, 'u')
  const lexicon = lexiconFor(locale)
  /** Where the words that name a subject begin. */
  const subjectsIn = (text: string): number[] =>
    Array.from(text.matchAll(/[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu)).flatMap(({ 0: word, index }) => {
      const keys = lexicon.terms(word).flatMap((term) => term?.key ?? [])
      return keys.some((key) => !isGeneric(key, locale)) ? [index] : []
    })
  // An adjective can stand between ("the old lamps"), but no verb: "this would be".
  const afterDeterminer = new RegExp(
    `(?<!\\p{L})(?:${cues.determiners})(?:(?<=')| )(?:(?!(?:${auxiliaries}) )\\p{L}+ )?$`,
    'iu',
  )
  const { regrets, praises } = cues.stances
  const judgement = new RegExp(`^(?:${[regrets, praises].filter(Boolean).join('|')})(?!\\p{L})`, 'iu')
  const beforeVerb = new RegExp(`^\\S+ (?:${auxiliaries})(?!\\p{L})`, 'u')
  /** In German, by its capital letter; else after an article or a preposition, or at the beginning before a verb. */
  const isNoun = (text: string, start: number): boolean => {
    // "It would be a loss to close it": a judgement.
    if (judgement.test(text.slice(start))) return false
    if (start === 0 && beforeVerb.test(text)) return true
    return locale === 'de'
      ? /^\p{Lu}/u.test(text.slice(start))
      : ELIDED_ARTICLE.test(text.slice(start)) || afterDeterminer.test(text.slice(0, start))
  }
  return {
    refers: wholeWords(refers),
    objects: wholeWords(objects),
    vague: wholeWords(vague),
    introduces: new RegExp(`^(?:${introduces})(?!\\p{L})`, 'u'),
    subjectsIn,
    isNoun,
  }
})
