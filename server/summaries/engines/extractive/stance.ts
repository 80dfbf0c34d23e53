import { memoized } from '../../../../grounding/languages/language.ts'
import { lexiconFor } from '../../../../grounding/text/lexicon.ts'
import { concernOf } from './concern.ts'
import { cuesOf } from './languages/index.ts'
import { openingOf } from './opening.ts'
import type { Passage } from './passages.ts'
import { isGeneric } from './words/stems.ts'

export type Stance = 'for' | 'against'

/** Words between a verb and its object: "close that ugly old kiosk". */
const MAX_WORDS_BETWEEN = 5
/** How many of these can be words with a meaning of their own, such as adjectives. */
const MAX_TERMS_BETWEEN = 1

/**
 * Whether the person wants to have or keep the subject, or objects to it or wants it to be removed. Null for other requests ("the
 * kiosk should take cards") and for what others want.
 */
export function stanceOf(
  { text, concern, locale, phrases }: Passage,
  isSubjectKey: (key: string) => boolean,
): Stance | null {
  const joined = new Map([...(phrases ?? [])].map(([written, key]) => [written.replace(/[ -]/gu, '_'), key]))
  const isSubject = (key: string) => isSubjectKey(joined.get(key) ?? key)
  const clauses = clausesOf(text, locale).map((clause) =>
    [...(phrases?.keys() ?? [])].reduce(
      (one, phrase) => one.replaceAll(phrase, phrase.replace(/[ -]/gu, '_')),
      clause,
    ),
  )
  const found = clauses.flatMap((clause) => wishOf(clause, locale, isSubject) ?? [])
  const own = found.find(({ isRequest }) => isRequest)
  if (own) return own.sign > 0 ? 'for' : 'against'
  const [proposed] = found
  const opinion = opinionIn(clauses, locale, isSubject)
  if (proposed && opinion) return proposed.sign === opinion.sign ? 'for' : 'against'
  // "I am in favour of them closing the kiosk": another clause says of what.
  if (!concern.objects) {
    if (proposed) return approves(text, locale) ? (proposed.sign > 0 ? 'for' : 'against') : null
    return opinion?.isOnSubject ? (opinion.sign > 0 ? 'for' : 'against') : null
  }
  // "They want to close the kiosk, and I am against it."
  if (proposed) return proposed.sign < 0 ? 'for' : 'against'
  const isElsewhere = (clause: string) =>
    objectsElsewhere(clause, locale, isSubject) || isOnlyStated(clause, locale, isSubject)
  return clauses.some(isElsewhere) ? null : 'against'
}

const approves = (text: string, locale: string): boolean =>
  patternsFor(locale)?.approves?.test(text.toLocaleLowerCase(locale)) ?? false

/** Whether a sentence says that something is to be removed, kept or built. */
export const proposes = ({ text, locale }: Passage): boolean =>
  clausesOf(text, locale).some((clause) => wishOf(clause, locale, (key) => !isGeneric(key, locale)) !== null)

/** Whether a sentence asks not to do something. */
export function rejects({ text, concern, locale }: Passage): boolean {
  const negations = patternsFor(locale)?.negations
  return (
    concern.objects || (concern.asks && negations !== undefined && text.toLowerCase().search(negations) >= 0)
  )
}

/** The wish of one clause for the subject: positive to have or keep it. */
function wishOf(clause: string, locale: string, isSubject: (key: string) => boolean) {
  const patterns = patternsFor(locale)
  if (patterns === null || patterns.conditions.test(clause) || patterns.missing.test(clause)) return null
  const { times, timesBefore } = patterns
  const words = wordsOf(clause, patterns, isSubject)
  const isLast = (end: number) => !words.some((word) => word.start >= end && word.isTerm)
  const verbs = verbsIn(clause, patterns).filter(
    ({ start, end }) =>
      !times.test(clause.slice(end)) && !(isLast(end) && timesBefore.test(clause.slice(0, start))),
  )
  const isVerb = (word: Word) => verbs.some(({ start, end }) => word.start >= start && word.start < end)
  const aimed = verbs.filter((verb) => isObject(verb, words, isVerb, clause, patterns))
  const [first] = aimed
  if (!first) return isWelcome(clause, words, patterns) ? { sign: 1, isRequest: true } : null
  const { asks, objects } = concernOf(clause, locale)
  if (aimed.some(({ isLoss }) => isLoss)) return { sign: 1, isRequest: asks || objects }
  const judgement = judgementOf(clause, patterns, first, words)
  if (judgement === 'unknown') return null
  const isNegated =
    ((clause.match(patterns.negations)?.length ?? 0) + (judgement === 'bad' ? 1 : 0)) % 2 === 1
  const product = aimed.reduce((product, verb) => product * verb.sign, isNegated ? -1 : 1)
  // An objection is in favour only if it is against a removal.
  const sign = objects && aimed.every((verb) => verb.sign > 0) ? -1 : product
  // A command begins the clause. "Closing the kiosk goes too far" is none.
  const isCommand =
    first.start <= openingOf(clause, locale) && !patterns.backs.test(clause) && !patterns.refuses.test(clause)
  return { sign, isRequest: asks || objects || isCommand }
}

/** "A cycle path on the High Street would be great." A better path would be one, too, but it is there already. */
function isWelcome(clause: string, words: readonly Word[], patterns: Patterns): boolean {
  const at = clause.search(patterns.welcomes)
  if (at < 0 || patterns.reduces.test(clause) || patterns.restrains.test(clause)) return false
  const subject = upToPreposition(words.filter(({ end }) => end <= at)).find((word) => word.isSubject)
  return (
    subject !== undefined &&
    !patterns.improvedBefore.test(clause.slice(0, subject.start)) &&
    !patterns.improvedAfter.test(clause.slice(subject.end))
  )
}

/**
 * "The pool gets my vote", "a tower, that goes too far": whether the person is for what the words before it name, and whether that is the
 * subject. Null without such an opinion.
 */
function opinionIn(clauses: readonly string[], locale: string, isSubject: (key: string) => boolean) {
  const patterns = patternsFor(locale)
  if (patterns === null) return null
  for (const [at, clause] of clauses.entries()) {
    const [backed, refused] = [clause.search(patterns.backs), clause.search(patterns.refuses)]
    if ((backed < 0 && refused < 0) || patterns.conditions.test(clause)) continue
    const isNegated = clause.search(patterns.negations) >= 0
    // "That does not go too far" does not ask for it.
    if (backed < 0 && isNegated) continue
    const before = wordsOf(clause, patterns, isSubject).filter(({ end }) => end <= Math.max(backed, refused))
    const isOnSubject = before.some((word) => word.isTerm)
      ? names(before, clause, patterns)
      : namesAlone(clauses[at - 1] ?? '', patterns, isSubject)
    return { sign: backed >= 0 && !isNegated && !patterns.reduces.test(clause) ? 1 : -1, isOnSubject }
  }
  return null
}

/** Whether the words are about the subject: not "the noise at the pool", "the pool attendant", "the price of the pool". */
function names(words: readonly Word[], clause: string, patterns: Patterns): boolean {
  const named = upToOwner(upToPreposition(words), clause, patterns).filter((word) => !word.isGeneric)
  const isPlan = ({ start, end }: Word) => patterns.plans.test(clause.slice(start, end))
  const [first] = named.filter((word) => word.isTerm && !isPlan(word))
  return (patterns.isHeadFirst ? first : named.findLast((word) => word.isTerm))?.isSubject ?? false
}

/** The same of a clause without a verb: in "the bus never comes, that goes too far" nothing is said against the bus. */
function namesAlone(clause: string, patterns: Patterns, isSubject: (key: string) => boolean): boolean {
  const words = wordsOf(clause, patterns, isSubject)
  const named = upToPreposition(words)
  const after = named.slice(named.findIndex((word) => word.isSubject) + 1)
  const isPhrase = after.every((word) => patterns.isHeadFirst && word.isTerm && !word.isGeneric)
  return isPhrase && names(words, clause, patterns)
}

/**
 * The judgement of a clause about a removal or a plan: "closing the kiosk would be a loss". Null if the clause does not evaluate it. An
 * adjective of the subject is not a judgement: "close that terrible kiosk".
 */
function judgementOf(
  clause: string,
  { regrets, evaluates, praises }: Patterns,
  verb: Verb,
  words: readonly Word[],
): 'good' | 'bad' | 'unknown' | null {
  const subject = words.find((word) => word.isSubject && word.start >= verb.end)?.start ?? verb.end
  const isAdjective = (index: number) => index >= verb.end && index < subject
  const bad = Array.from(clause.matchAll(regrets)).filter(({ index }) => !isAdjective(index))
  if (bad.length % 2 === 1) return 'bad'
  const evaluation = evaluates?.exec(clause.slice(verb.end))
  if (!evaluation) return null
  return praises?.test(clause.slice(verb.end + evaluation.index)) ? 'good' : 'unknown'
}

/** Whether a clause names the subject and objects to something else: "I am against cars in the park". */
function objectsElsewhere(clause: string, locale: string, isSubject: (key: string) => boolean): boolean {
  const patterns = patternsFor(locale)
  if (patterns === null || patterns.costs.test(clause)) return false
  const words = wordsOf(clause, patterns, isSubject)
  const objections = Array.from(clause.matchAll(patterns.objects), ({ 0: match, index }) => ({
    start: index,
    end: index + match.length,
  }))
  const hasSubject = (some: readonly Word[]) => some.some((word) => word.isSubject)
  const isAimed = ({ start, end }: { start: number; end: number }): boolean => {
    const [first, ...within] = words.filter((word) => word.start >= start && word.start < end)
    if (first && hasSubject([first, ...upToPreposition(within)])) return true
    const after = words.filter((word) => word.start >= end)
    if (patterns.actions.test(clause.slice(end))) return false
    // "Opposed to the tower": the first preposition belongs to the objection.
    const object = after.slice(
      Math.max(
        0,
        after.findIndex((word) => !word.isPreposition),
      ),
    )
    if (hasSubject(upToPreposition(object))) return hasSubject(upToOwner(object, clause, patterns))
    const isLast = !object.some((word) => word.isTerm)
    return isLast && hasSubject(upToPreposition(words.filter((word) => word.end <= start)))
  }
  return hasSubject(words) && objections.length > 0 && !objections.some(isAimed)
}

/** Whether a clause says of the subject that it is missing, or that it must be kept under control or elsewhere. */
function isOnlyStated(clause: string, locale: string, isSubject: (key: string) => boolean): boolean {
  const patterns = patternsFor(locale)
  if (patterns === null || !(patterns.missing.test(clause) || patterns.restrains.test(clause))) return false
  return wordsOf(clause, patterns, isSubject).some((word) => word.isSubject)
}

function upToPreposition(words: readonly Word[]): readonly Word[] {
  const preposition = words.findIndex((word) => word.isPreposition && !word.isGenitive)
  return preposition < 0 ? words : words.slice(0, preposition)
}

/** "The theft of bikes" is not the bikes; "the idea of a tower" and "another day of market" are the tower and the market. */
function upToOwner(words: readonly Word[], clause: string, { plans }: Patterns): readonly Word[] {
  const isThing = ({ isTerm, isGeneric, start, end }: Word) =>
    isTerm && !isGeneric && !plans.test(clause.slice(start, end))
  const thing = words.findIndex(isThing)
  const owner = words.findIndex((word, index) => word.isGenitive && thing >= 0 && index > thing)
  return owner < 0 ? words : words.slice(0, owner)
}

function wordsOf(clause: string, patterns: Patterns, isSubject: (key: string) => boolean): Word[] {
  return Array.from(clause.matchAll(/[\p{L}\p{N}_]+(?:['-][\p{L}\p{N}_]+)*/gu), ({ 0: word, index }) => {
    const keys = patterns.lexicon.terms(word).flatMap((term) => term?.key ?? [])
    return {
      start: index,
      end: index + word.length,
      isSubject: keys.some(isSubject),
      isTerm: keys.length > 0,
      isGeneric: keys.every((key) => isGeneric(key, patterns.locale)),
      isPreposition: patterns.prepositions.test(clause.slice(index)),
      isGenitive: patterns.genitives.test(clause.slice(index)),
    }
  })
}

interface Word {
  start: number
  end: number
  isSubject: boolean
  isTerm: boolean
  isGeneric: boolean
  isPreposition: boolean
  isGenitive: boolean
}

interface Verb {
  start: number
  end: number
  sign: 1 | -1
  /** "To lose": an action that people want to prevent, with or without a negation. */
  isLoss: boolean
  /** "I want": a wish for something, not an action on it. */
  isWish: boolean
}

/**
 * Whether the subject is what the verb is about: after it, or before it if nothing else follows ("the kiosk must go"). A person who
 * wants the subject changed already has it, and takes no side.
 */
function isObject(
  verb: Verb,
  words: readonly Word[],
  isVerb: (word: Word) => boolean,
  clause: string,
  { owns, improvedBefore, improvedAfter }: Patterns,
): boolean {
  const isImproved = ({ start, end }: Word): boolean =>
    verb.isWish && (improvedBefore.test(clause.slice(0, start)) || improvedAfter.test(clause.slice(end)))
  let terms = 0
  for (const [at, word] of words.filter(({ start }) => start >= verb.end).entries()) {
    if (word.isSubject) return !isImproved(word)
    if (word.isPreposition || at >= MAX_WORDS_BETWEEN) break
    if (word.isTerm && !isVerb(word) && ++terms > MAX_TERMS_BETWEEN) return false
  }
  if (terms > 0 || (verb.isWish && owns === null)) return false
  const before = words.filter(({ end }) => end <= verb.start)
  const owner =
    verb.isWish && owns ? before.findLastIndex(({ start, end }) => owns.test(clause.slice(start, end))) : -1
  const needed = before.slice(owner + 1)
  const possible = needed.some((word) => word.isTerm && !isVerb(word)) ? needed : before
  const preposition = possible.findIndex((word) => word.isPreposition && !isVerb(word))
  const object = (preposition < 0 ? possible : possible.slice(0, preposition)).find((word) => word.isSubject)
  return object !== undefined && !isImproved(object)
}

function verbsIn(clause: string, { removes, keeps, wants, restrains, loses }: Patterns): Verb[] {
  const find = (pattern: RegExp, sign: 1 | -1, kind?: 'wish' | 'loss'): Verb[] =>
    Array.from(clause.matchAll(pattern), ({ 0: match, index }) => ({
      start: index,
      end: index + match.length,
      sign,
      isWish: kind === 'wish',
      isLoss: kind === 'loss',
    }))
  // "Keep dogs on a leash" is not a wish for dogs.
  if (restrains.test(clause)) return find(removes, -1)
  const found = [find(removes, -1), find(keeps, 1), find(wants, 1, 'wish'), find(loses, -1, 'loss')].flat()
  return found.sort((a, b) => a.start - b.start)
}

/** In lower case, without the punctuation at the end. */
const clausesOf = (text: string, locale: string): string[] =>
  text
    .toLocaleLowerCase(locale)
    .replaceAll('’', "'")
    .split(patternsFor(locale)?.breaks ?? /[,;:–—]/u)
    .map((clause) => clause.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
    .map((clause) => clause.replace(patternsFor(locale)?.views ?? '', ''))
    .filter(Boolean)

type Patterns = NonNullable<ReturnType<typeof patternsFor>>

const patternsFor = memoized((locale: string) => {
  const all = cuesOf(locale)
  if (!all) return null
  const cues = all.stances
  const wholeWords = (pattern: string, flags = 'u') =>
    new RegExp(`(?<!\\p{L})(?:${pattern})(?!\\p{L})`, flags)
  return {
    locale,
    lexicon: lexiconFor(locale),
    removes: wholeWords(cues.removes, 'gu'),
    keeps: wholeWords(cues.keeps, 'gu'),
    loses: wholeWords(cues.loses, 'gu'),
    wants: wholeWords(cues.wants, 'gu'),
    owns: cues.owns === undefined ? null : new RegExp(`^(?:${cues.owns})$`, 'u'),
    improvedBefore: new RegExp(`(?<!\\p{L})(?:${cues.improves.before})\\s+$`, 'u'),
    improvedAfter: new RegExp(`^\\s+(?:${cues.improves.after})(?!\\p{L})`, 'u'),
    negations: wholeWords(cues.negations, 'gu'),
    approves: cues.approves === undefined ? null : wholeWords(cues.approves),
    backs: wholeWords(cues.backs),
    refuses: wholeWords(cues.refuses),
    /** In these languages a noun stands before the words that say of what kind it is. */
    isHeadFirst: all.kinds !== undefined,
    restrains: wholeWords(cues.restrains),
    // After a short word of the objection: "opposed to".
    actions: new RegExp(`^\\s+(?:\\p{L}{1,3}\\s+)?(?:${cues.actions})(?!\\p{L})`, 'u'),
    missing: wholeWords(cues.missing),
    objects: wholeWords(all.objects, 'gu'),
    regrets: wholeWords(cues.regrets, 'gu'),
    evaluates: cues.evaluates === undefined ? null : wholeWords(cues.evaluates),
    praises: cues.praises === undefined ? null : wholeWords(cues.praises),
    welcomes: wholeWords(cues.welcomes),
    reduces: wholeWords(cues.reduces),
    views: new RegExp(`^(?:${cues.views})(?!\\p{L})[\\s,]*`, 'u'),
    plans: new RegExp(`^(?:\\p{L}+')?(?:${cues.plans})$`, 'u'),
    conditions: wholeWords(cues.conditions),
    prepositions: new RegExp(`^(?:${cues.prepositions})(?!\\p{L})`, 'u'),
    genitives: new RegExp(`^(?:${cues.genitives})(?!\\p{L})`, 'u'),
    costs: wholeWords(cues.costs),
    times: new RegExp(`^\\s+(?:${cues.times})(?!\\p{L})`, 'u'),
    // In Dutch and German the verb is the last word.
    timesBefore: new RegExp(`\\s(?:${cues.times})(?!\\p{L})(?: [\\p{L}\\p{N}]+){0,3} $`, 'u'),
    breaks: new RegExp(`[,;:–—!?]|\\s(?:${cues.breaks})(?=\\s)`, 'u'),
  }
})
