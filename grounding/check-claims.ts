import type { Line, Said } from '../server/summaries/engines/openai/sources.ts'
import type { Statement } from '../server/summaries/engines/openai/tasks.ts'
import type { Figure } from './figure.ts'
import { canSpell, claimedFigures, saidNumbers } from './numbers.ts'
import { beforeOrders } from './prompt-injection.ts'
import { quotesHold } from './quotations.ts'
import { isComparable, namesHold, sharesWord } from './shared-words.ts'

const MAX_STATEMENT = 1_000
const MAX_SOURCES = 12
const LINK = /\b(?:[a-z][a-z0-9+.-]*:\/\/|www\.|(?:mailto|javascript|data|vbscript|tel|file):)\S|\]\s*[(:]/i
const TAG = /<[a-z/!?]|&#?\w+;/i
/** What readers' programs turn into a link by themselves. */
const DOMAIN = /[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}(?![\p{L}\d])/giu
const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu
const EMPHASIS = /\*\*|__|`|^\s*(?:#{1,6}|>)\s+/g

/** The statements that hold, as lines of their own: they name lines that were shown, and say what is in them. */
export const supported = (
  statements: readonly Statement[],
  shown: readonly Line[],
  language: string | null,
  counted: readonly number[] = [],
): Line[] =>
  statements.flatMap(({ text, sources }) => {
    const said = saidIn(sources, shown)
    const line = { text: tidy(text, MAX_STATEMENT), said: said.slice(0, MAX_SOURCES) }
    return line.text !== '' && isHeld(line.text, said, language, counted) ? [line] : []
  })

function saidIn(labels: readonly string[], shown: readonly Line[]): Said[] {
  const lines = labels.flatMap((label) =>
    label.startsWith('s') ? (shown[Number(label.slice(1)) - 1] ?? []) : [],
  )
  return [...new Map(lines.flatMap(({ said }) => said).map((one) => [one.id, one])).values()]
}

/**
 * Whether a claim can rest on what it names: beside what `isAbout` asks, whatever it quotes was said word for word, and
 * whomever it names was named. `counted` are numbers that nobody needs to say, such as how many conversations there are.
 */
export function isHeld(
  text: string,
  said: readonly Said[],
  language: string | null,
  counted: readonly number[] = [],
): boolean {
  const spoken = asEvidence(said)
  if (!fits(text, spoken, language, counted) || !quotesHold(text, spoken)) return false
  return !isComparable(spoken, language) || namesHold(text, spoken, language)
}

/**
 * Whether a text can come from what was said: it has no markup or link of its own, its numbers were said, and it shares a
 * word with it. Of what was said in another language only the numbers can be looked for.
 */
export const isAbout = (text: string, said: readonly Said[], language: string | null): boolean =>
  fits(text, asEvidence(said), language, [])

function fits(
  text: string,
  spoken: readonly Said[],
  language: string | null,
  counted: readonly number[],
): boolean {
  if (spoken.length === 0 || LINK.test(text) || TAG.test(text) || !domainsHold(text, spoken)) return false
  if (!numbersHold(text, spoken, language, counted)) return false
  return !isComparable(spoken, language) || sharesWord(text, spoken, language)
}

/** Without what was said to the machine. */
const asEvidence = (said: readonly Said[]): Said[] =>
  said.flatMap((one) => {
    const text = beforeOrders(one.text, one.language)
    if (text === one.text) return [one]
    return text === '' ? [] : [{ ...one, text }]
  })

const domainsHold = (text: string, said: readonly Said[]): boolean =>
  (text.match(DOMAIN) ?? []).every((domain) =>
    said.some((one) => one.text.toLowerCase().includes(domain.toLowerCase())),
  )

function numbersHold(
  text: string,
  said: readonly Said[],
  language: string | null,
  counted: readonly number[],
): boolean {
  const figures = claimedFigures(text, language)
  if (figures.length === 0) return true
  const numbers = new Set(said.flatMap((one) => saidNumbers(one.text, one.language)))
  for (const number of counted) numbers.add(String(number))
  // Where we do not know how a language says "percent", its number is enough.
  const isExact = said.every((one) => canSpell(one.language))
  const isThere = ({ readings, parts, isPercent }: Figure) =>
    readings.some((value) => numbers.has(isPercent && isExact ? `${value}%` : value)) ||
    (parts.length > 0 && parts.every((part) => numbers.has(part)))
  return figures.every(isThere)
}

/** On one line, without emphasis and marks that reorder it, and not longer than that. */
export const tidy = (text: string, limit: number): string =>
  text.replace(CONTROL, ' ').replace(EMPHASIS, '').replace(/\s+/gu, ' ').trim().slice(0, limit).toWellFormed()
