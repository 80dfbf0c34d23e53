import { memoized } from '../../../../../grounding/languages/language.ts'
import type { Term } from '../../../../../grounding/text/lexicon.ts'
import { cuesOf } from '../languages/index.ts'
import type { Passage } from '../passages.ts'
import { knownCompounds } from '../subjects/compounds.ts'
import { widerSubject } from '../subjects/index.ts'
import { type Compound, distinctCompounds, type Uses } from './distinct-compounds.ts'
import { withoutHomonyms } from './homonyms.ts'
import { isNeutral } from './neutral-modifiers.ts'
import { isGeneric, stemOf } from './stems.ts'

/** Two words of a sentence that name one thing. */
interface Phrase extends Compound {
  /** The index of the first and of the last term. */
  from: number
  to: number
  /** Where it begins in the text. */
  start: number
  /** As it is written, in lower case. */
  written: string
  stem: string
  isHeadFirst: boolean
}

export interface Phrases {
  /** The same sentences, with phrases that are a subject of their own as one word. */
  talks: Passage[][]
  join: Join
}

/** Joins such phrases in the words of a tag or of instructions. */
export type Join = (words: readonly string[], locale: string) => string[]

/** Finds the phrases that are about another subject than the words in them: "car park" where others speak about the park. */
export function joinPhrases(written: readonly (readonly Passage[])[]): Phrases {
  const talks = written.map((talk) => talk.map(withoutHomonyms))
  const isMixed = new Set(talks.flat().map(({ locale }) => locale)).size > 1
  /** In a report on one language, the words around a compound with a wider subject decide. */
  const isKnown = (stem: string, locale: string) => {
    const subject = knownCompounds(locale).get(stem)
    return subject !== undefined && (isMixed || subject === null || widerSubject(subject) === subject)
  }
  const distinct = new Map<string, Set<string>>()
  const found = new Map<Passage, Phrase[]>()
  for (const [locale, passages] of Map.groupBy(talks.flat(), (one) => one.locale)) {
    const compounds = new Map<string, Compound>()
    const uses = passages.map((passage) => {
      const phrases = phrasesIn(passage)
      found.set(passage, phrases)
      for (const phrase of phrases) compounds.set(phrase.stem, phrase)
      return clausesOf(passage, phrases)
    })
    distinct.set(locale, distinctCompounds(uses.flat(), compounds))
  }
  const isDistinct = (stem: string, locale: string) => distinct.get(locale)?.has(stem) ?? false
  const isSubject = (stem: string, locale: string) => isDistinct(stem, locale) || isKnown(stem, locale)
  // A compound that one person says can still be about its modifier: "traffic lights" about the traffic.
  const people = Map.groupBy(
    [...found].flatMap(([{ conversation, locale }, phrases]) =>
      phrases.map(({ stem }) => ({ id: `${locale} ${stem}`, conversation })),
    ),
    ({ id }) => id,
  )
  const isOfOne = (stem: string, locale: string) =>
    new Set(people.get(`${locale} ${stem}`)?.map(({ conversation }) => conversation)).size === 1
  const keepsModifier = (stem: string, locale: string) =>
    !isDistinct(stem, locale) && knownCompounds(locale).get(stem) === null && isOfOne(stem, locale)
  return {
    talks: talks.map((talk) =>
      talk.map((passage) =>
        joined(
          passage,
          (found.get(passage) ?? []).filter(({ stem }) => isSubject(stem, passage.locale)),
          ({ stem }) => keepsModifier(stem, passage.locale),
        ),
      ),
    ),
    join: (words, locale) => {
      const result: string[] = []
      for (const word of words) {
        const pair = `${result.at(-1)} ${word}`
        if (isSubject(stemOf(pair, locale), locale)) result.splice(-1, 1, pair)
        else result.push(word)
      }
      return result
    },
  }
}

/** A word in another clause than the phrase is a short form of it: "the city park …, the park is my living room". */
function clausesOf(passage: Passage, phrases: readonly Phrase[]): Uses[] {
  const { conversation, text, terms, locale } = passage
  const clauses = new Map<number, { conversation: string; compounds: string[]; words: string[] }>()
  const clauseAt = (at: number) => {
    const number = text.slice(0, at).match(/[,;:–—]/gu)?.length ?? 0
    const clause = clauses.get(number) ?? { conversation, compounds: [], words: [] }
    clauses.set(number, clause)
    return clause
  }
  for (const { key, noun, stem } of placesOf(text, terms, locale))
    if (!isGeneric(key, locale)) clauseAt(noun).words.push(stem)
  for (const { stem, start } of phrases) clauseAt(start).compounds.push(stem)
  return [...clauses.values()]
}

/** The sentence with these phrases as one word each. */
function joined(
  passage: Passage,
  phrases: readonly Phrase[],
  keepsModifier: (phrase: Phrase) => boolean,
): Passage {
  if (phrases.length === 0) return passage
  const terms: (Term | null)[] = [...passage.terms]
  const written = new Map<string, string>()
  for (const phrase of phrases) {
    const [first, last] = [terms[phrase.from], terms[phrase.to]]
    // The first of two phrases that share a word.
    if (!first || !last) continue
    const key = `${first.key} ${last.key}`
    const term = { key, surface: phrase.written }
    if (keepsModifier(phrase)) terms[phrase.isHeadFirst ? phrase.from : phrase.to] = term
    else terms.fill(null, phrase.from, phrase.to + 1).splice(phrase.from, 1, term)
    written.set(phrase.written, key)
  }
  return { ...passage, terms, keys: terms.flatMap((term) => term?.key ?? []), phrases: written }
}

function phrasesIn({ text, terms, locale }: Passage): Phrase[] {
  const joint = jointFor(locale)
  if (joint === null) return []
  const places = placesOf(text, terms, locale)
  return places.flatMap((first, at): Phrase[] => {
    const last = places[at + 1]
    const between = text.slice(first.end, last?.noun)
    if (!last || !joint.between.test(between)) return []
    const [head, modifier] = joint.modifierFirst || between === '-' ? [last, first] : [first, last]
    const isName = modifier.noun > 0 && locale !== 'de' && /^\p{Lu}/u.test(text.slice(modifier.noun))
    const stem = `${first.stem} ${last.stem}`
    const isKnown = knownCompounds(locale).has(stem)
    if (!isKnown && (isName || isNeutral(modifier.key, locale))) return []
    return [
      {
        from: first.index,
        to: last.index,
        start: first.noun,
        written: straight(text.slice(first.noun, last.end)).toLocaleLowerCase(locale),
        stem,
        isHeadFirst: head === first,
        parts: [head, modifier].filter(({ key }) => !isGeneric(key, locale)).map(({ stem }) => stem),
        head: head.stem,
        modifier: modifier.stem,
        isFixed: between !== ' ',
      },
    ]
  })
}

/** Where each term is in the text. An elided article (`l'aire`) is a part of the term, but not of the noun. */
function placesOf(text: string, terms: readonly (Term | null)[], locale: string) {
  let end = 0
  return terms.flatMap((term, index) => {
    const start = term === null ? -1 : text.indexOf(term.surface, end)
    if (term === null || start < 0) return []
    end = start + term.surface.length
    return [{ key: term.key, index, end, noun: end - term.key.length, stem: stemOf(term.key, locale) }]
  })
}

const straight = (text: string): string => text.replaceAll('’', "'")

/** The text between the two words of a phrase. */
const jointFor = memoized((locale: string): { between: RegExp; modifierFirst: boolean } | null => {
  const cues = cuesOf(locale)
  if (!cues) return null
  // Dutch and German write such words together, or with a hyphen.
  if (cues.hasCompounds) return { between: /^-$/u, modifierFirst: true }
  return cues.kinds === undefined
    ? { between: /^[ -]$/u, modifierFirst: true }
    : { between: new RegExp(`^(?:[ -]| (?:${cues.kinds}) | d['’])$`, 'iu'), modifierFirst: false }
})
