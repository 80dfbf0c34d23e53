import { areCountsRight, countConversations } from './counts.ts'
import { isNegated } from './negation.ts'
import { canSpell, claimedNumbers, numbersIn } from './numbers/numbers.ts'
import type { Figure } from './numbers/spelled-numbers.ts'
import { areMeasuresKnown } from './numbers/units.ts'
import { beforeInjection } from './prompt-injection.ts'
import { areQuotesVerbatim } from './quotations.ts'
import { areNamesKnown, areSpeakersRight, isComparable, sharesWord } from './shared-words.ts'
import type { Evidence, SourceLine, Statement } from './types.ts'

const MAX_STATEMENT = 1_000
const MAX_SOURCES = 12
const LINK = /\b(?:[a-z][a-z0-9+.-]*:\/\/|www\.|(?:mailto|javascript|data|vbscript|tel|file):)\S|\]\s*[(:]/i
const TAG = /<[a-z/!?]|&#?\w+;/i
/** Mail and chat programs turn these into links. */
const DOMAIN = /[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}(?![\p{L}\d])/giu
const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu
const EMPHASIS = /\*\*|__|`|^\s*(?:#{1,6}|>)\s+/g

/** The statements whose sources exist and support them, as lines with their evidence. */
export const supportedStatements = (
  statements: readonly Statement[],
  lines: readonly SourceLine[],
  language: string | null,
  conversations: number | null = null,
): SourceLine[] => {
  const participants = new Set(lines.flatMap((line) => line.evidence.flatMap(({ speaker }) => speaker ?? [])))
  return statements.flatMap(({ text, sources }) => {
    const evidence = evidenceOf(sources, lines)
    const line = { text: cleanText(text, MAX_STATEMENT), evidence: evidence.slice(0, MAX_SOURCES) }
    const isKept =
      line.text !== '' &&
      isSupported(line.text, evidence, language, conversations) &&
      areSpeakersRight(line.text, evidence, participants)
    return isKept ? [line] : []
  })
}

/** Labels are s1, s2, …: the numbers of the lines. */
function evidenceOf(labels: readonly string[], lines: readonly SourceLine[]): Evidence[] {
  const cited = labels.flatMap((label) =>
    label.startsWith('s') ? (lines[Number(label.slice(1)) - 1] ?? []) : [],
  )
  return [...new Map(cited.flatMap(({ evidence }) => evidence).map((one) => [one.id, one])).values()]
}

/**
 * Whether `isAbout` holds, quotations are verbatim, names occur, nothing is negated, and people are counted as the evidence does.
 * `conversations`: how many there are, for statements about several.
 */
export function isSupported(
  text: string,
  evidence: readonly Evidence[],
  language: string | null,
  conversations: number | null = null,
): boolean {
  const usable = withoutInjections(evidence)
  const counts = conversations === null ? [] : [conversations, countConversations(usable)]
  if (!isPlausible(text, usable, language, counts) || !areQuotesVerbatim(text, usable)) return false
  if (!areCountsRight(text, usable, language, conversations)) return false
  if (!isComparable(usable, language)) return true
  return (
    areNamesKnown(text, usable, language) &&
    areMeasuresKnown(text, usable, language) &&
    !isNegated(text, usable, language)
  )
}

/** Whether a text has no markup and no new link, its numbers occur, and it shares a word with evidence of the same language. */
export const isAbout = (text: string, evidence: readonly Evidence[], language: string | null): boolean =>
  isPlausible(text, withoutInjections(evidence), language, [])

function isPlausible(
  text: string,
  evidence: readonly Evidence[],
  language: string | null,
  exemptNumbers: readonly number[],
): boolean {
  if (evidence.length === 0 || LINK.test(text) || TAG.test(text) || !areDomainsKnown(text, evidence))
    return false
  if (!areNumbersKnown(text, evidence, language, exemptNumbers)) return false
  return !isComparable(evidence, language) || sharesWord(text, evidence, language)
}

/** Whether a text turns what was said into its opposite. Words of two languages cannot be compared. */
export const isReversed = (text: string, evidence: readonly Evidence[], language: string | null): boolean =>
  isComparable(evidence, language) && isNegated(text, withoutInjections(evidence), language)

/** Text that addresses the model, and text after it, is not evidence. */
export const withoutInjections = (evidence: readonly Evidence[]): Evidence[] =>
  evidence.flatMap((one) => {
    const text = beforeInjection(one.text, one.language)
    if (text === one.text) return [one]
    return text === '' ? [] : [{ ...one, text }]
  })

const areDomainsKnown = (text: string, evidence: readonly Evidence[]): boolean =>
  (text.match(DOMAIN) ?? []).every((domain) =>
    evidence.some((one) => one.text.toLowerCase().includes(domain.toLowerCase())),
  )

function areNumbersKnown(
  text: string,
  evidence: readonly Evidence[],
  language: string | null,
  exemptNumbers: readonly number[],
): boolean {
  const figures = claimedNumbers(text, language)
  if (figures.length === 0) return true
  const numbers = new Set(evidence.flatMap((one) => numbersIn(one.text, one.language)))
  for (const number of exemptNumbers) numbers.add(String(number))
  // If the word for "percent" is unknown in a language, the number alone is enough.
  const canSpellPercent = evidence.every((one) => canSpell(one.language))
  const isKnown = ({ readings, parts, isPercent }: Figure) =>
    readings.some((value) => numbers.has(isPercent && canSpellPercent ? `${value}%` : value)) ||
    (parts.length > 0 && parts.every((part) => numbers.has(part)))
  return figures.every(isKnown)
}

/** One line of at most `limit` characters, without emphasis and characters that reorder text. */
export const cleanText = (text: string, limit: number): string =>
  text.replace(CONTROL, ' ').replace(EMPHASIS, '').replace(/\s+/gu, ' ').trim().slice(0, limit).toWellFormed()
