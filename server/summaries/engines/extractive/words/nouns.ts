import { memoized } from '../../../../../grounding/languages/language.ts'
import { cuesOf } from '../languages/index.ts'
import type { Passage } from '../passages.ts'

const WORDS = /[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}]+)*/gu
/** Articles and prepositions that are joined to a noun: `l'autobus`. Others, as in `j'habite`, precede a verb. */
const ELIDED = /^(?:(?<article>l|d|un|dell|all|nell|sull|dall|quell|gl)|\p{L}{1,3})'(?=\p{L}{2})/u
/** The share for a word that follows neither an article nor a pronoun. */
export const UNDECIDED = 0.5

/** How often each word is used as a noun, from 0 to 1, by the words before it; in German, by its capital letter. */
export function nounsOf(
  passages: readonly Passage[],
  rootOf: (key: string, locale: string) => string,
): Map<string, number> {
  const seen = new Map<string, { nouns: number; all: number }>()
  for (const { text, locale } of passages) {
    const tokens = text.replaceAll('’', "'").match(WORDS) ?? []
    for (const [index, token] of tokens.entries()) {
      const { key, noun } = classify(token, tokens.slice(Math.max(0, index - 2), index), locale)
      const root = rootOf(key, locale)
      const known = seen.get(root) ?? { nouns: 0, all: 0 }
      seen.set(root, { nouns: known.nouns + noun, all: known.all + 1 })
    }
  }
  return new Map([...seen].map(([root, { nouns, all }]) => [root, nouns / all]))
}

function classify(token: string, before: readonly string[], locale: string): { key: string; noun: number } {
  const lower = token.toLowerCase()
  const words = neighboursFor(locale)
  if (words === null) return { key: lower, noun: 1 }
  if (locale === 'de') return { key: lower, noun: before.length > 0 && token !== lower ? 1 : 0 }
  const elided = locale === 'fr' || locale === 'it' ? ELIDED.exec(lower) : null
  const key = elided ? lower.slice(elided[0].length) : lower
  if (elided) return { key, noun: elided.groups?.['article'] === undefined ? 0 : 1 }
  const previous = before.at(-1)?.toLowerCase() ?? ''
  if (words.verbs.has(previous)) return { key, noun: 0 }
  // An adjective can stand between: "the old lamps".
  const isNoun = before.some((one) => words.nouns.has(one.toLowerCase()))
  return { key, noun: isNoun ? 1 : UNDECIDED }
}

const neighboursFor = memoized((locale: string) => {
  const cues = cuesOf(locale)
  if (!cues) return null
  return { nouns: new Set(cues.determiners.split('|')), verbs: new Set(cues.beforeVerbs.split(' ')) }
})
