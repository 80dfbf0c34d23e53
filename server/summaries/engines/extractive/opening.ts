import { memoized } from '../../../../grounding/languages/language.ts'
import { CONJUNCTIONS } from './languages/conjunctions.ts'
import { cuesOf } from './languages/index.ts'

/** The length of words at the beginning of a sentence that say nothing: greetings, hesitations, apologies. */
export function openingOf(sentence: string, locale: string): number {
  const word = openerFor(locale)
  if (word === null) return 0
  const text = sentence.replaceAll('’', "'")
  let length = 0
  // Word by word: a repeated group with overlapping alternatives takes exponential time on "ehm ehm ehm …".
  for (;;) {
    word.lastIndex = length
    const match = word.exec(text)
    if (match === null) return length
    length += match[0].length
  }
}

const openerFor = memoized((locale: string): RegExp | null => {
  const cues = cuesOf(locale)
  const particles = cues?.particles ?? CONJUNCTIONS[locale]
  if (particles === undefined) return null
  const openers = cues?.openers ?? particles
  const clauses = cues ? `|(?:${cues.prefaces}|${cues.asides})\\s*[,.;:!?…–-]+\\s*` : ''
  return new RegExp(
    `(?:(?:${openers})\\s*[,.;:!?…–-]+\\s*|(?:${particles})[\\s,.…]+${clauses})(?=\\p{L})`,
    'iuy',
  )
})
