import { memoized } from '../../../../../grounding/languages/language.ts'
import { breakBefore } from '../../../../../grounding/text/sentences.ts'
import { marked, readable } from '../../../unclear-words.ts'
import { CLEAR } from '../concern.ts'
import { cuesOf } from '../languages/index.ts'
import { openingOf } from '../opening.ts'
import type { Passage } from '../passages.ts'
import { proposes, rejects } from '../stance.ts'
import { clausesOf } from './clauses.ts'
import { contextOf } from './title-context.ts'

const MAX_TITLE_CHARACTERS = 80
/** A shorter clause says too little. */
const MIN_WORDS = 3
/** The sentences before a wish that can name what it is about. */
const MAX_BEFORE = 3

/**
 * The first wish that can be understood without other sentences, or the clause of it that says most. If every wish is about something
 * that another sentence names ("that has to change"), the sentence before it that names most. Null if there is no text.
 */
export function titleOf(points: readonly Passage[], passages: readonly Passage[]): string | null {
  const [first] = points
  if (!first) return null
  const isUsable = (one: Passage) => first.unclear || !one.unclear
  const isWish = ({ concern }: Passage) => concern.weight >= CLEAR
  const at = passages.indexOf(first)
  const before = passages.slice(Math.max(0, at - MAX_BEFORE), Math.max(0, at)).filter(isUsable)
  const [own, ...others] = [first, ...points.slice(1).filter((one) => isUsable(one) && isWish(one))].map(
    candidateOf,
  )
  const named = before
    .map(candidateOf)
    .filter(({ title }) => (title?.split(' ').length ?? 0) >= MIN_WORDS)
    .toSorted((a, b) => b.subjects - a.subjects)
  // The plan that the person objects to says more than other sentences.
  const plan = rejects(first)
    ? before
        .filter(proposes)
        .map(candidateOf)
        .findLast(({ gaps, hasNoun }) => gaps === 'none' || (gaps === 'vague' && hasNoun))
    : undefined
  const chosen =
    [own, ...others].find((one) => one?.gaps === 'none') ??
    [own, ...others].find((one) => one?.gaps === 'vague') ??
    plan ??
    // An introduction names the person, not the subject.
    named.find(({ gaps, subjects }) => gaps === 'none' && subjects > 0) ??
    // "They want to close the cinema" says more than "They should not do that".
    named.find(({ gaps, hasNoun }) => gaps === 'vague' && hasNoun) ??
    own
  const title = chosen?.title ?? null
  return title && first.unclear ? marked(title) : title
}

interface Candidate {
  title: string | null
  gaps: 'none' | 'vague' | 'reference' | 'cut'
  /** How many words of it name a subject. */
  subjects: number
  hasNoun: boolean
}

/** The whole sentence, or the clause of it that can be understood alone. */
function candidateOf({ text, concern, locale }: Passage): Candidate {
  const sentence = text.replace(/\s/gu, ' ')
  const start = dispensableOf(sentence, locale)
  const rest = sentence.slice(start)
  const position = Math.max(0, concern.start - start)
  const isShort = withoutEnd(rest).length <= MAX_TITLE_CHARACTERS
  const clauses = (isShort ? [rest] : clausesOf(rest, position, locale)).flatMap((clause): Candidate[] => {
    const title = titleFrom(clause, locale)
    const fits = title.length <= MAX_TITLE_CHARACTERS && (isShort || title.split(' ').length >= MIN_WORDS)
    return fits && title !== '' ? [{ title, ...contextOf(title, locale) }] : []
  })
  const found = clauses.find(({ gaps }) => gaps !== 'reference') ?? clauses[0]
  if (found) return found
  const title = titleFrom(widest(rest, position, locale), locale) || capitalized(clip(readable(sentence)))
  return { title: title || null, gaps: 'cut', subjects: 0, hasNoun: false }
}

const titleFrom = (clause: string, locale: string): string =>
  capitalized(withoutFiller(withoutEnd(readable(clause.slice(dispensableOf(clause, locale)))), locale))

/** "…, you know" at the end of a clause says as little as at its beginning. */
function withoutFiller(clause: string, locale: string): string {
  const filler = fillerFor(locale)
  let rest = clause
  // One by one: a repeated group with overlapping alternatives takes exponential time on "ehm, ehm, ehm …".
  while (filler?.test(rest)) rest = rest.replace(filler, '')
  return rest.split(' ').length >= MIN_WORDS ? rest : clause
}

const fillerFor = memoized((locale: string): RegExp | null => {
  const cues = cuesOf(locale)
  return cues ? new RegExp(`,\\s*(?:${cues.particles})$`, 'iu') : null
})

/** The opening of a sentence, if enough is left for a title. */
function dispensableOf(sentence: string, locale: string): number {
  const length = openingOf(sentence, locale)
  return /\p{L}\s+\p{L}/u.test(sentence.slice(length)) ? length : 0
}

/** The clauses around a position, as many as fit, at any comma or conjunction; else the beginning. */
function widest(sentence: string, position: number, locale: string): string {
  for (const boundary of [/(?<=[,;:–—])\s+/gu, conjunctionFor(locale)]) {
    const chosen = boundary && widestClause(sentence, position, boundary)
    if (chosen) return chosen
  }
  return `${clip(sentence.slice(0, MAX_TITLE_CHARACTERS - 1).replace(/\s\S*$/u, ''))}…`
}

const conjunctionFor = memoized((locale: string): RegExp | null => {
  const cues = cuesOf(locale)
  return cues ? new RegExp(`(?:(?<=[,;:–—])\\s+|\\s+(?=(?:${cues.conjunctions})\\s))`, 'giu') : null
})

/** The clause at the position, then those after and before it while they fit. Null if it is too long or too short. */
function widestClause(sentence: string, position: number, boundary: RegExp): string | null {
  const starts = [
    0,
    ...Array.from(sentence.matchAll(boundary), ({ index, 0: space }) => index + space.length),
  ]
  const ends = [...starts.slice(1), sentence.length]
  let first = starts.findLastIndex((start) => start <= position)
  let last = first
  const between = (from: number, to: number) => sentence.slice(starts[from], ends[to]).trim()
  const fits = (from: number, to: number) =>
    from >= 0 && to < starts.length && between(from, to).length <= MAX_TITLE_CHARACTERS
  if (!fits(first, last)) return null
  while (fits(first, last + 1)) last++
  while (fits(first - 1, last)) first--
  const chosen = between(first, last)
  return chosen.split(' ').length >= MIN_WORDS ? chosen : null
}

/** One short line without punctuation at its end, cut after a clause or a word. */
export function clip(text: string, limit = MAX_TITLE_CHARACTERS): string {
  const line = text.replace(/\s+/gu, ' ').trim()
  return line.length > limit
    ? `${withoutEnd(line.slice(0, breakBefore(line, limit - 1)))}…`
    : withoutEnd(line)
}

const withoutEnd = (text: string): string =>
  text
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/(?:[\s\p{P}](?<!\p{L}…))+$/u, '')

export const capitalized = (text: string): string =>
  text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
