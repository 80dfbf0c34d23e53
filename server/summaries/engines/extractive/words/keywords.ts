import type { Term } from '../../../../../grounding/text/lexicon.ts'
import type { Passage } from '../passages.ts'
import { nounsOf } from './nouns.ts'
import { isGeneric } from './stems.ts'

export interface Keyword {
  /** One word, or two adjacent words. */
  keys: readonly string[]
  /** As it first occurs. */
  surface: string
  /** In lower case. */
  tag: string
  count: number
}

/** A word that occurs once is not a subject. */
const MIN_COUNT = 2
/** Below it, a word mostly follows words before verbs, or is not capitalised in German. */
const MIN_NOUN = 0.5
/** A pair of words is more specific than one word. */
const PAIR_BONUS = 1.5

/** The most frequent words and pairs, the most important first. */
export function keywordsOf(passages: readonly Passage[], max: number): Keyword[] {
  const chosen: Keyword[] = []
  for (const candidate of candidatesOf(passages)) {
    if (chosen.length === max) break
    if (!isCovered(candidate, chosen)) chosen.push(candidate)
  }
  return chosen
}

function candidatesOf(passages: readonly Passage[]): Keyword[] {
  const found = new Map<string, Keyword>()
  const count = (...terms: Term[]) => {
    const keys = terms.map(({ key }) => key)
    const tag = sideBySide(keys)
    const known = found.get(tag)
    if (known) known.count++
    else found.set(tag, { keys, surface: sideBySide(terms.map(({ surface }) => surface)), tag, count: 1 })
  }
  const nouns = nounsOf(passages, (key) => key)
  for (const { terms, locale } of passages) {
    const isSubject = (term: Term | null | undefined): term is Term =>
      term !== null &&
      term !== undefined &&
      !isGeneric(term.key, locale) &&
      (nouns.get(term.key) ?? 1) >= MIN_NOUN
    for (const [index, term] of terms.entries()) {
      if (!isSubject(term)) continue
      count(term)
      const next = terms[index + 1]
      if (isSubject(next) && next.key !== term.key) count(term, next)
    }
  }
  // Sorting is stable, so the first of equals stays first.
  return [...found.values()].filter(({ count }) => count >= MIN_COUNT).sort((a, b) => scoreOf(b) - scoreOf(a))
}

/** Chinese, Japanese and Thai are written without spaces. */
const sideBySide = (words: readonly string[]): string =>
  words.join(words.every((word) => UNSPACED.test(word)) ? '' : ' ')
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

const scoreOf = ({ keys, count }: Keyword): number => count * (keys.length > 1 ? PAIR_BONUS : 1)

/** A word adds nothing to a pair that contains it, unless it mostly occurs alone; nor does a pair to one of its words. */
const isCovered = (candidate: Keyword, chosen: readonly Keyword[]): boolean =>
  chosen.some(
    ({ keys, count }) =>
      keys.some((key) => candidate.keys.includes(key)) &&
      (candidate.keys.length >= keys.length || candidate.count < 2 * count),
  )
