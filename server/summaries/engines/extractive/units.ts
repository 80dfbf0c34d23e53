import type { ReportSource } from '../../summarizer.ts'
import { CLEAR } from './concern.ts'
import { cuesOf } from './languages/index.ts'
import type { Passage } from './passages.ts'
import { countsOf } from './similarity.ts'
import { knownCompounds } from './subjects/compounds.ts'
import { isKnownSubject, subjectOfTag, subjectWords, widerSubject } from './subjects/index.ts'
import { withDistinctCompounds } from './words/closed-compounds.ts'
import { nounsOf, UNDECIDED } from './words/nouns.ts'
import type { Join } from './words/phrases.ts'
import { isGeneric, isPhrase, rootsOf, stemOf } from './words/stems.ts'

/** Consecutive sentences of one conversation that are about one subject: a short statement, or a part of a long conversation. */
export interface Unit {
  conversation: string
  passages: readonly Passage[]
  /** How much the unit is about each word, by the root of the word. */
  roots: ReadonlyMap<string, number>
  /** The same of each passage. */
  passageRoots: readonly ReadonlyMap<string, number>[]
}

const UNIT_SENTENCES = 7
/** Words in a sentence that says what the person wants name the subject more often than others. */
const CONCERN_WEIGHT = 1.5
const TAG_WEIGHT = 2
/** The weight of words that never follow an article or another word before a noun. */
const MIN_NOUN = 0.4
/** The same, where articles show nouns: it can be an adverb or a verb. */
const DOUBTFUL_NOUN = 0.2

/** Divides conversations into units, and weighs the words of each. Generic words have no weight. */
export function unitsOf(talks: readonly (readonly Passage[])[]): { units: Unit[]; rootOf: RootOf } {
  const blocks = talks.flatMap(blocksOf)
  const roots = rootsIn(blocks.flat())
  const nouns = nounsOf(blocks.flat(), roots)
  // Two words that name one thing are a noun, also where they are about a common subject.
  const nounShare = (key: string, root: string) => (isPhrase(key) ? 1 : (nouns.get(root) ?? 0))
  const units = blocks.map((passages) => {
    const [{ conversation, locale } = { conversation: '', locale: 'en' }] = passages
    const passageRoots = passages.map(({ keys, concern }) => {
      const weight = concern.weight >= CLEAR ? 1 + CONCERN_WEIGHT : 1
      const own = keys.filter((key) => !isGeneric(key, locale))
      return new Map(
        own.map((key) => {
          const root = roots(key, locale)
          const share = nounShare(key, root)
          // In German, capital letters show nouns.
          const isDoubtful = share <= (locale === 'de' ? 0 : UNDECIDED) && !isKnownSubject(root)
          return [root, weight * (isDoubtful ? DOUBTFUL_NOUN : MIN_NOUN + (1 - MIN_NOUN) * share)]
        }),
      )
    })
    return { conversation, passages, passageRoots, roots: sumOf(passageRoots) }
  })
  return { units, rootOf: roots }
}

/** Adds the weight of the tags of each conversation, by their roots. */
export const withTags = (
  units: readonly Unit[],
  tagRootsOf: (conversation: string) => ReadonlySet<string>,
): Unit[] =>
  units.map((unit) => {
    const tags = new Map([...tagRootsOf(unit.conversation)].map((root) => [root, TAG_WEIGHT]))
    return { ...unit, roots: sumOf([unit.roots, tags]) }
  })

function sumOf(maps: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const sum = new Map<string, number>()
  for (const one of maps) for (const [key, value] of one) sum.set(key, (sum.get(key) ?? 0) + value)
  return sum
}

/** Equal parts of at most so many sentences. */
function blocksOf(talk: readonly Passage[]): Passage[][] {
  const count = Math.ceil(talk.length / UNIT_SENTENCES)
  return Array.from({ length: count }, (_, index) =>
    talk.slice(Math.floor((index * talk.length) / count), Math.floor(((index + 1) * talk.length) / count)),
  )
}

/** The information about words that themes need. */
export interface Vocabulary {
  /** The language of the report. */
  language: string
  rootOf: RootOf
  /** The tags of a conversation that name a subject. */
  tagsOf(conversation: string): readonly string[]
  join: Join
}

export const wordsOf = (tag: string): string[] => tag.toLowerCase().split(/\s+/u).filter(Boolean)

/** The root of a word in a language, among the words that were said. A tag can be in another language. */
export type RootOf = (key: string, locale: string, kind?: 'tag') => string

/** All words for a common subject have one root, also those of several languages. */
function rootsIn(passages: readonly Passage[]): RootOf {
  const locales = [...new Set(passages.map(({ locale }) => locale))].filter(
    (locale) => subjectWords(locale).size > 0,
  )
  // Also where only a compound was said: "Wochenmarkt".
  const rootOf = familiesOf(passages, (locale) => [...subjectWords(locale).keys()])
  const subjects = new Map(
    locales.map((locale) => [
      locale,
      new Map([...subjectWords(locale)].map(([word, subject]) => [rootOf(word, locale), subject])),
    ]),
  )
  const subjectIn = (subject: string | undefined) => (locales.length > 1 ? subject : widerSubject(subject))
  return (key, locale, kind) => {
    const root = rootOf(key, locale)
    return (
      knownCompounds(locale).get(root) ??
      subjectIn(subjects.get(locale)?.get(root)) ??
      subjectIn(kind === 'tag' ? subjectOfTag(key) : undefined) ??
      root
    )
  }
}

function familiesOf(passages: readonly Passage[], added: (locale: string) => readonly string[]): RootOf {
  const families = new Map<string, Map<string, string>>()
  for (const [locale, members] of Map.groupBy(passages, (one) => one.locale)) {
    const said = members.flatMap(({ keys }) =>
      keys.filter((key) => !isGeneric(key, locale) && !isPhrase(key)),
    )
    const counts = countsOf(said.map((key) => stemOf(key, locale)))
    const hasCompounds = cuesOf(locale)?.hasCompounds ?? false
    // The parts of compounds are shorter than the compounds.
    const rank = (stem: string) => (hasCompounds ? -stem.length : (counts.get(stem) ?? 0))
    const known = new Set([...counts.keys(), ...added(locale).map((word) => stemOf(word, locale))])
    const stems = [...known].sort((a, b) => rank(b) - rank(a))
    const roots = rootsOf(stems, hasCompounds)
    families.set(locale, hasCompounds ? withDistinctCompounds(roots, members) : roots)
  }
  return (key, locale) => {
    const stem = stemOf(key, locale)
    return families.get(locale)?.get(stem) ?? stem
  }
}

/** The tags of hosts and participants, by conversation. */
export const tagsIn = (conversations: readonly ReportSource[]): ((id: string) => readonly string[]) => {
  const tags = new Map(conversations.map((one) => [one.id, one.tags ?? []]))
  return (id) => tags.get(id) ?? []
}
