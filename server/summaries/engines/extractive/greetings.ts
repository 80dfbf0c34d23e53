import { LANGUAGES } from './languages/index.ts'

/** "Good morning, Anna." */
const NAME = /(?<=\p{L}[\s,]+)\p{Lu}[\p{L}’'-]+[\s\p{P}]*$/u

/**
 * Whether a sentence only greets or thanks someone, apologises, checks the line or offers contact details. People also do that in
 * another language than their own.
 */
export const isGreeting = (sentence: string): boolean =>
  greets(sentence) || greets(sentence.replace(NAME, ''))

function greets(sentence: string): boolean {
  const text = sentence.replaceAll('’', "'")
  let hasGreeting = false
  // Word by word: a repeated group with overlapping alternatives takes exponential time.
  for (let end = 0; ; ) {
    if (ASIDE.test(text.slice(end))) return true
    WORDS.lastIndex = end
    const match = WORDS.exec(text)
    if (match === null) return hasGreeting && !/[\p{L}\p{N}]/u.test(text.slice(end))
    hasGreeting ||= match.groups?.['greeting'] !== undefined
    end = WORDS.lastIndex
  }
}

const listOf = (key: 'greetings' | 'courtesies' | 'asides' | 'prefaces' | 'contacts'): string =>
  LANGUAGES.map((cues) => cues[key]).join('|')

const WORDS = new RegExp(
  `[\\s\\p{P}]*(?:(?<greeting>${listOf('greetings')})|${listOf('courtesies')})(?![\\p{L}'])`,
  'iuy',
)

/** The rest of a sentence with contact details, without another clause: "I am at home, but …". */
const REST = String.raw`[^,;:]*(?:, (?:if|als|wenn|falls|si|se)(?!\p{L})[^,;:]*)?`
const ASIDE = new RegExp(
  String.raw`^[\s\p{P}]*(?:(?:${listOf('asides')}|${listOf('prefaces')})|(?:${listOf('contacts')})${REST})[\s\p{P}]*$`,
  'iu',
)
