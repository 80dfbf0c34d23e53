import { languageOf } from './languages/index.ts'
import type { CountWords } from './languages/language.ts'
import { numbersIn } from './numbers/numbers.ts'
import type { Evidence } from './types.ts'

const whole = (pattern: string): RegExp => new RegExp(`(?<!\\p{L})(?:${pattern})(?!\\p{L})`, 'giu')

/**
 * Whether the statement counts people as the evidence does. Models count badly, so "four residents", "most people" and "everyone" must
 * agree with the number of conversations that are cited, or have been said. `conversations`: how many there are; null: one.
 */
export function areCountsRight(
  text: string,
  evidence: readonly Evidence[],
  language: string | null,
  conversations: number | null,
): boolean {
  const words = languageOf(language)?.counts
  if (!words) return true
  const cited = countConversations(evidence)
  return (
    areNumbersOfPeopleKnown(text, words, evidence, language, [cited, conversations ?? 1]) &&
    (conversations === null || isShareRight(text, words, evidence, cited / conversations))
  )
}

/** "Four residents", "four of the 30 people". */
function areNumbersOfPeopleKnown(
  text: string,
  { people }: CountWords,
  evidence: readonly Evidence[],
  language: string | null,
  counted: readonly number[],
): boolean {
  const phrases =
    text.match(new RegExp(`[\\p{L}\\d.,]+ (?:\\p{L}+ ){0,2}(?:\\d+ )?(?:${people})(?!\\p{L})`, 'giu')) ?? []
  const claimed = phrases
    .flatMap((phrase) => numbersIn(phrase, language))
    .filter((value) => !value.endsWith('%'))
  if (claimed.length === 0) return true
  const known = new Set([
    ...counted.map(String),
    ...evidence.flatMap((one) => numbersIn(one.text, one.language)),
  ])
  return claimed.every((value) => value === '1' || known.has(value))
}

/** Somebody can also have said "everyone". */
function isShareRight(
  text: string,
  { people, everyone, all, most }: CountWords,
  evidence: readonly Evidence[],
  share: number,
): boolean {
  const isUnsaid = (pattern: RegExp, words: string): boolean =>
    pattern.test(text) && !evidence.some((one) => whole(words).test(one.text))
  if (share < 1 && isUnsaid(whole(`${everyone}|(?:${all}) (?:\\p{L}+ )?(?:${people})`), `${everyone}|${all}`))
    return false
  return share > 0.5 || !isUnsaid(whole(`(?:${most}) (?:\\p{L}+ )?(?:${people})`), most)
}

export const countConversations = (evidence: readonly Evidence[]): number =>
  new Set(evidence.map(({ conversation }) => conversation)).size
