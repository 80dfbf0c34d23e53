import { memoized } from '../../../../grounding/languages/language.ts'
import { cuesOf } from './languages/index.ts'
import { openingOf } from './opening.ts'

/** A request, objection or worry of a person, as far as the words of a sentence show it. */
export interface Concern {
  asks: boolean
  objects: boolean
  /** The sentence says that something is missing: "there is nowhere to sit". */
  lacks: boolean
  /** How clearly the sentence says it; 0 if it does not. */
  weight: number
  /** Where the first of these words begins in the sentence. */
  start: number
}

/** From here on, a sentence says what the person wants. Below, it can be an explanation. */
export const CLEAR = 3
/** Something does not work, or is no longer there: what a person wants, where no sentence says it. */
export const FAILS = 2
const WEIGHTS = { objects: 4, asks: CLEAR, commands: CLEAR, worries: CLEAR, fails: FAILS, complains: 1 }
type Kind = keyof typeof WEIGHTS

const NONE: Concern = { asks: false, objects: false, lacks: false, weight: 0, start: 0 }

/** Finds a concern by the patterns of the language. Languages without patterns have no concerns. */
export function concernOf(sentence: string, locale: string): Concern {
  const patterns = patternsFor(locale)
  if (patterns === null) return NONE
  // "Excuse me", "I don't want to complain": no command, and no objection.
  const opening = openingOf(sentence, locale)
  const text = sentence.replaceAll('’', "'").slice(opening)
  const found = patterns.flatMap(([kind, pattern]) => {
    pattern.lastIndex = 0
    const match = pattern.exec(text)
    return match ? [{ kind, start: match.index + opening }] : []
  })
  const has = (kind: Kind) => found.some((one) => one.kind === kind)
  const [strongest] = found
  // A complaint adds nothing to a clear wish: "too" is often in its explanation.
  const counted = found.filter(({ kind }, index) => (kind !== 'complains' && kind !== 'fails') || index === 0)
  return {
    asks: has('asks') || has('commands'),
    objects: has('objects'),
    lacks: missingIn(locale)?.test(text) ?? false,
    weight: counted.reduce((sum, { kind }) => sum + WEIGHTS[kind], 0),
    start: strongest?.start ?? 0,
  }
}

/** The strongest first. */
const patternsFor = memoized((locale: string): [Kind, RegExp][] | null => {
  const cues = cuesOf(locale)
  if (!cues) return null
  const { objects, asks, commands, worries, fails, complains, ifs, stances } = cues
  const removal = `(?:${ifs})[^,;:.!?–]*(?<!\\p{L})(?:${stances.removes}|${stances.loses})(?!\\p{L})(?! (?:${stances.times})(?!\\p{L})| \\p{L}+ (?:${stances.times})(?!\\p{L}))`
  return [
    ['objects', wholeWords(objects)],
    ['asks', wholeWords(asks)],
    // Only after the opening of the sentence.
    ['commands', new RegExp(`(?:${commands})(?!\\p{L})`, 'iuy')],
    ['worries', wholeWords(`${worries}|${removal}`)],
    ['fails', wholeWords(fails)],
    ['complains', wholeWords(complains)],
  ]
})

const missingIn = memoized((locale: string): RegExp | null => {
  const cues = cuesOf(locale)
  return cues ? wholeWords(cues.stances.missing) : null
})

const wholeWords = (pattern: string): RegExp => new RegExp(`(?<!\\p{L})(?:${pattern})(?!\\p{L})`, 'iu')
