import type { Term } from '../../../../grounding/text/lexicon.ts'
import type { Passage } from './passages.ts'
import { countsOf } from './similarity.ts'
import { subjectName } from './subjects/index.ts'
import { capitalized } from './titles/title.ts'
import { type RootOf, type Vocabulary, wordsOf } from './units.ts'
import { isFunctionWord } from './words/function-words.ts'
import { isGeneric, isPhrase } from './words/stems.ts'

/** A pair of words is the name if at least this share of the people use it. */
const MIN_PAIR_SHARE = 0.5

/** Of several languages: if fewer people speak the language of the report, their word is not the name of a common subject. */
const MIN_SPEAKERS = 2

/** The name of a theme is a tag if at least this many people have it. */
const MIN_TAGS = 2

/** The words that most people of a theme use for it: a noun, or a pair such as "bike lanes". No word is in two names. */
export function nameOf(root: string, people: People, vocabulary: Vocabulary, taken: Set<string>): string {
  // "Car park" is a name beside "Park".
  const partsOf = (name: string) =>
    (isPhrase(root) ? [name] : name.split(' ')).map((word) => word.toLowerCase())
  const isFree = (name: string) => !partsOf(name).some((word) => taken.has(word))
  const byLanguage = Map.groupBy(people, ([passage]) => passage?.locale)
  const [main = people] = [...byLanguage.values()].sort((one, other) => other.length - one.length)
  const shared = byLanguage.size > 1 ? sharedName(root, people, vocabulary, isFree) : null
  const own = nameAmong(root, main, vocabulary, isFree) ?? nameAmong(root, people, vocabulary, isFree)
  const name = shared ?? own ?? root.replace('@', '')
  for (const word of partsOf(name)) taken.add(word)
  return capitalized(name)
}

/** The passages of each person. */
type People = readonly (readonly Passage[])[]

/** The name that speakers of the report's language use; otherwise the usual word for the subject. Null if neither exists. */
function sharedName(
  root: string,
  people: People,
  vocabulary: Vocabulary,
  isFree: (name: string) => boolean,
): string | null {
  const { language } = vocabulary
  const inLanguage = people
    .map((passages) => passages.filter(({ locale }) => locale === language))
    .filter((passages) => passages.length > 0)
  const own = nameAmong(root, inLanguage, vocabulary, isFree)
  const usual = subjectName(root, language)
  // One person can say "swimming baths" where seven others speak about a swimming pool.
  return (inLanguage.length < MIN_SPEAKERS ? (usual ?? own) : own) ?? usual
}

/** A tag of several people, or else what most people say; null if they have no word for it. */
function nameAmong(
  root: string,
  people: People,
  { rootOf, tagsOf, join }: Vocabulary,
  isFree: (name: string) => boolean,
): string | null {
  const tags: string[] = []
  const singles: string[] = []
  const pairs: string[] = []
  for (const passages of people) {
    const [{ conversation, locale } = { conversation: '', locale: '' }] = passages
    // Tags of earlier versions can be phrases such as "his power".
    const isAbout = (tag: string) =>
      !isFunctionWord(wordsOf(tag)[0] ?? '', locale) &&
      join(wordsOf(tag), locale).some((word) => rootOf(word, locale, 'tag') === root)
    tags.push(...tagsOf(conversation).filter(isAbout))
    const own = passages.flatMap(({ terms, locale }) => phrasesOf(terms, root, locale, rootOf))
    singles.push(...new Set(own.filter((words) => words.length === 1).map(([word = '']) => word)))
    pairs.push(...new Set(own.filter((words) => words.length === 2).map((words) => words.join(' '))))
  }
  const [pair, pairCount] = mostFrequent(pairs.filter(isFree))
  const usual = subjectName(root, people[0]?.[0]?.locale ?? '')?.toLowerCase()
  const rankOf = (word: string) => Number(word.toLowerCase() !== usual)
  // Of words that are equally frequent, the usual one: "homes" before "storeys".
  const [single] = mostFrequent(singles.filter(isFree).sort((a, b) => rankOf(a) - rankOf(b)))
  const [tag, tagCount] = mostFrequent(tags.filter(isFree))
  const isPair = pairCount >= Math.max(2, MIN_PAIR_SHARE * people.length)
  return tagCount >= MIN_TAGS ? tag : isPair ? pair : single
}

/** The word itself, and the word with its neighbours, as they are written. */
function phrasesOf(
  terms: readonly (Term | null)[],
  root: string,
  locale: string,
  rootOf: RootOf,
): string[][] {
  const written = ({ key, surface }: Term) => (locale === 'de' || isPhrase(key) ? surface : key)
  return terms.flatMap((term, index) => {
    if (term === null || isGeneric(term.key, locale) || rootOf(term.key, locale) !== root) return []
    const neighbours = [terms[index - 1], terms[index + 1]]
    const [before, after] = neighbours.map((one) => (one && !isGeneric(one.key, locale) ? one : null))
    return [
      [written(term)],
      ...(before ? [[written(before), written(term)]] : []),
      ...(after ? [[written(term), written(after)]] : []),
    ]
  })
}

/** The first of equals. */
function mostFrequent(names: readonly string[]): [name: string | null, count: number] {
  let best: [string | null, number] = [null, 0]
  for (const [name, count] of countsOf(names)) if (count > best[1]) best = [name, count]
  return best
}
