import { languageOf } from '../languages/index.ts'
import { memoized, type NumberData, withoutAccents, words } from '../languages/language.ts'

/** The last day of a month. */
const MAX_ORDINAL = 31
/** Larger numbers are not said with a half. */
const MAX_HALVED = 99

/** Undefined for a language whose number words are unknown. */
export function numberWordsOf(language: string | null): NumberWords | undefined {
  const data = languageOf(language)?.numbers
  return data && tablesOf(data)
}

export type NumberWords = ReturnType<typeof tablesOf>

/** How a language writes numbers: those below 1,000, and the scales that they are multiplied by. */
const tablesOf = memoized((data: NumberData) => {
  const scales = new Map(
    data.scales.flatMap((list, index) => words(list).map((word) => [word, 1_000 ** (index + 1)] as const)),
  )
  const thousands = [...scales].flatMap(([word, value]) => (value === 1e3 ? word : []))
  return {
    /** Without spaces, hyphens and accents, because transcripts differ in them. Includes halves. */
    below1000: cardinalsOf(data),
    clock: new Map(Object.entries(data.clock ?? {})),
    scales,
    ordinals: new Map(ordinalsOf(data)),
    and: data.and,
    points: new Set(words(data.points)),
    /** A word that contains a thousand: the part before it, the thousand, "and", the part after it. */
    thousandInWord: new RegExp(`(?<!\\p{L})(\\p{L}*?)(${thousands.join('|')})(${data.and})?(\\p{L}*)`, 'gu'),
  }
})

function cardinalsOf({ cardinal, cardinalForms, halvesAfter, halves }: NumberData): Map<string, number> {
  const numbers = Array.from({ length: 1_000 }, (_, n) =>
    cardinalForms(joined(cardinal(n)), n).map((word) => [word, n] as const),
  ).flat()
  const halved = numbers
    .filter(([, n]) => n > 0 && n <= MAX_HALVED)
    .flatMap(([word, n]) => words(halvesAfter).map((half) => [word + half, n + 0.5] as const))
  return new Map([...Object.entries(halves), ...halved, ...numbers])
}

const ordinalsOf = ({ ordinal, ordinalForms, maxOrdinal = MAX_ORDINAL }: NumberData): [string, number][] =>
  Array.from({ length: maxOrdinal }, (_, index) => index + 1).flatMap((n) =>
    ordinalForms(joined(ordinal(n)), n).map((word): [string, number] => [word, n]),
  )

/** Whether a word is a whole number, such as "forty-one", "third" or "million". */
export function isNumberWord(word: string, language: string | null): boolean {
  const table = numberWordsOf(language)
  const plain = joined(word)
  return (
    table !== undefined &&
    (Number.isInteger(table.below1000.get(plain)) || table.scales.has(plain) || table.ordinals.has(plain))
  )
}

/** Larger house numbers are not said in words, and more words would make the pattern slow. */
const MAX_IN_PATTERN = 299

/** A pattern for the numbers from 1 to 299 as they are written in words; null for a language whose number words are unknown. */
export function cardinalPattern(language: string): string | null {
  const data = languageOf(language)?.numbers
  if (!data) return null
  const spelled = Array.from({ length: MAX_IN_PATTERN }, (_, index) =>
    data.cardinal(index + 1).split(/[ -]/u),
  )
  const first = new Set(spelled.flatMap((parts) => (parts.length === 1 ? parts : [])))
  // The list also has "hundred", which needs another number before it.
  const parts = new Set(spelled.flatMap((parts) => (parts.length > 1 ? parts : [])))
  parts.delete(data.and)
  const more = parts.size > 0 ? `(?:[ -](?:${data.and}[ -])?(?:${oneOf(parts)})(?!\\p{L})){0,5}` : ''
  return `(?:${oneOf(first)})${more}(?!\\p{L})`
}

/** The longest first: "sixteen" begins with "six". */
const oneOf = (words: Iterable<string>): string =>
  [...words]
    .sort((a, b) => b.length - a.length)
    .map(written)
    .join('|')

/** Transcripts differ in accents, and a sentence can begin with a number. */
const written = (word: string): string => {
  const letters = Array.from(word, (letter) =>
    withoutAccents(letter) === letter ? letter : `[${letter}${withoutAccents(letter)}]`,
  )
  const [first = '', ...rest] = letters
  return (/^\p{Ll}$/u.test(first) ? `[${first}${first.toUpperCase()}]` : first) + rest.join('')
}

const joined = (text: string): string => withoutAccents(text).replace(/[ -]/g, '')
