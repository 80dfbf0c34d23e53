import { memoized } from '../../../../../grounding/languages/language.ts'
import { cuesOf } from '../languages/index.ts'
import { openingOf } from '../opening.ts'

/** A part of an enumeration ("a quiet, dark room") or an insertion is shorter than a clause. */
const MIN_WORDS = 3

/** A place where a clause can begin or end. */
interface Boundary {
  /** Where the next clause begins. */
  start: number
  /** Where the clause before it ends. */
  end: number
  mark: 'strong' | 'comma' | 'none'
}

const RANKS = { strong: 0, comma: 1, none: 2 }
const ELSEWHERE = 10

/**
 * The clauses of a sentence, alone or several in a row, that can stand as a sentence: they neither begin with a preposition or a verb
 * whose subject was cut off, nor end before a clause that completes them. First those with a position, of these the ones from the start
 * of the sentence, of these the longest. Empty in languages without data.
 */
export function clausesOf(sentence: string, position: number, locale: string): string[] {
  const words = wordsFor(locale)
  if (words === null) return []
  const found = boundariesOf(sentence, words)
  const starts = [
    { start: 0, rank: 0 },
    ...found.flatMap((boundary, at) =>
      canBegin(sentence, found, at, locale, words)
        ? [{ start: boundary.start, rank: RANKS[boundary.mark] }]
        : [],
    ),
  ]
  const clauses = starts.flatMap(({ start, rank }) =>
    [...found, null]
      .filter((end) => end === null || (end.end > start && canEnd(sentence, start, end, words)))
      .filter((end) => start === 0 || !isContinued(sentence.slice(start, end?.end), words))
      .flatMap((end) => {
        const hasPosition = start <= position && position < (end?.end ?? sentence.length)
        const penalty = (end?.mark === 'none' ? 0.5 : 0) + (hasPosition ? 0 : ELSEWHERE)
        // A part without the position is only usable from the start: elsewhere it can be in the middle of an enumeration.
        if (!hasPosition && start > 0) return []
        return [{ clause: sentence.slice(start, end?.end).trim(), rank: rank + penalty }]
      }),
  )
  return clauses
    .sort((a, b) => a.rank - b.rank || b.clause.length - a.clause.length)
    .map(({ clause }) => clause)
}

/** Whether a later clause depends on the first one, whose beginning was cut off: "…, then it would be safe". */
const isContinued = (text: string, { continued }: Words): boolean => continued.test(straight(text))

function boundariesOf(sentence: string, { coordinator }: Words): Boundary[] {
  const marks: Boundary[] = Array.from(sentence.matchAll(/[,;:–—]\s+/gu), ({ 0: mark, index }) => ({
    start: index + mark.length,
    end: index + 1,
    mark: mark.startsWith(',') ? 'comma' : 'strong',
  }))
  const bare = Array.from(sentence.matchAll(coordinator), ({ 0: space, index }): Boundary[] => {
    const before = sentence.slice(marks.findLast(({ end }) => end <= index)?.start ?? 0, index)
    const after = sentence.slice(index, marks.find(({ end }) => end > index)?.end)
    // Shorter parts are nouns: "bread and butter".
    const isClause = wordCount(before) >= MIN_WORDS && wordCount(after) > MIN_WORDS
    return isClause && !/[,;:–—]$/u.test(before)
      ? [{ start: index + space.length, end: index, mark: 'none' }]
      : []
  })
  return [...marks, ...bare.flat()].sort((a, b) => a.start - b.start)
}

const wordCount = (text: string): number => text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)?.length ?? 0

function canBegin(
  sentence: string,
  boundaries: readonly Boundary[],
  at: number,
  locale: string,
  { unfit, condition }: Words,
): boolean {
  const [before, { start, end, mark } = { start: 0, end: 0, mark: 'none' }] = [
    boundaries[at - 1],
    boundaries[at],
  ]
  if (mark === 'comma' && wordCount(sentence.slice(before?.start ?? 0, end)) < MIN_WORDS) return false
  const rest = sentence.slice(start)
  const text = straight(rest.slice(openingOf(rest, locale)))
  return !unfit.test(text) && !condition.test(text)
}

/** A clause with a condition ends with the sentence. */
function canEnd(
  sentence: string,
  start: number,
  { end, start: next, mark }: Boundary,
  words: Words,
): boolean {
  const { condition, dangling, incomplete } = words
  if (condition.test(straight(sentence.slice(start)))) return false
  if (mark === 'none' && dangling.test(straight(sentence.slice(start, end)))) return false
  const following = straight(sentence.slice(next))
  const clause = sentence.slice(start, end - 1)
  // Not after an insertion: "I ask you, please, that …".
  const isAdded = words.adds?.test(following) && !clause.includes(',') && wordCount(clause) > MIN_WORDS
  return mark === 'strong' || isAdded || !incomplete.test(following)
}

const straight = (text: string): string => text.toLowerCase().replaceAll('’', "'")

type Words = NonNullable<ReturnType<typeof wordsFor>>

const wordsFor = memoized((locale: string) => {
  const cues = cuesOf(locale)
  if (!cues) return null
  const { coordinators, dependents, continues, auxiliaries, adds } = cues.titles
  const { prepositions, conditions } = cues.stances
  const first = (pattern: string) => new RegExp(`^(?:${pattern})(?!\\p{L})`, 'u')
  const last = (pattern: string) => new RegExp(`(?<!\\p{L})(?:${pattern})[^\\p{L}]*$`, 'u')
  return {
    coordinator: new RegExp(`\\s+(?=(?:${coordinators})\\s)`, 'giu'),
    unfit: first([dependents, continues, auxiliaries, prepositions].join('|')),
    condition: first(conditions),
    continued: new RegExp(`[,;:–—]\\s+(?:${continues})(?!\\p{L})`, 'u'),
    /** After these words, a clause completes the one before. */
    incomplete: first([dependents, auxiliaries].join('|')),
    adds: adds === undefined ? null : first(adds),
    dangling: last([cues.conjunctions, cues.determiners, prepositions, auxiliaries].join('|')),
  }
})
