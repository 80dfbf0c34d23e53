import type { Term } from '../../../../grounding/text/lexicon.ts'
import type { Passage } from './passages.ts'

export interface Keyword {
  /** One word, or two that were said next to each other. */
  keys: readonly string[]
  /** As it was first said. */
  surface: string
  /** In lower case. */
  tag: string
  count: number
}

/** Said so often it is a subject; once is an accident. */
const OFTEN = 2
/** A pair tells more than its words apart. */
const PAIR_BONUS = 1.5

/** What was said most, the most important first; pairs of words stand for their words. */
export function keywordsOf(passages: readonly Passage[], atMost: number): Keyword[] {
  const chosen: Keyword[] = []
  for (const candidate of candidatesOf(passages)) {
    if (chosen.length === atMost) break
    if (!isCovered(candidate, chosen)) chosen.push(candidate)
  }
  return chosen
}

function candidatesOf(passages: readonly Passage[]): Keyword[] {
  const found = new Map<string, Keyword>()
  const see = (...terms: Term[]) => {
    const keys = terms.map(({ key }) => key)
    const tag = sideBySide(keys)
    const known = found.get(tag)
    if (known) known.count++
    else found.set(tag, { keys, surface: sideBySide(terms.map(({ surface }) => surface)), tag, count: 1 })
  }
  for (const { terms } of passages)
    for (const [index, term] of terms.entries()) {
      if (term === null) continue
      see(term)
      const next = terms[index + 1]
      if (next && next.key !== term.key) see(term, next)
    }
  // Sorting is stable: of equals, the one that was said first stays first.
  return [...found.values()].filter(({ count }) => count >= OFTEN).sort((a, b) => scoreOf(b) - scoreOf(a))
}

/** Chinese, Japanese and Thai put no space between words. */
const sideBySide = (words: readonly string[]): string =>
  words.join(words.every((word) => UNSPACED.test(word)) ? '' : ' ')
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

const scoreOf = ({ keys, count }: Keyword): number => count * (keys.length > 1 ? PAIR_BONUS : 1)

/** A word says nothing new beside a pair with it, unless it was mostly said alone; nor a pair beside one of its words. */
const isCovered = (candidate: Keyword, chosen: readonly Keyword[]): boolean =>
  chosen.some(
    ({ keys, count }) =>
      keys.some((key) => candidate.keys.includes(key)) &&
      (candidate.keys.length >= keys.length || candidate.count < 2 * count),
  )
