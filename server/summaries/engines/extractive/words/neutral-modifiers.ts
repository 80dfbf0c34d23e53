import { memoized } from '../../../../../grounding/languages/language.ts'
import { cuesOf } from '../languages/index.ts'
import { isGeneric } from './stems.ts'

/** Letters between the parts of a German or Dutch compound. */
const LINKS = /(?:en|es|er|[sne])$/u

/**
 * Whether a word before or after a noun does not make it another thing: people, time and place ("town library", "Wochenmarkt"),
 * qualities ("dirty toilets"), and words before nouns ("street lamp").
 */
export const isNeutral = (word: string, locale: string): boolean => neutralFor(locale)(word)

const neutralFor = memoized((locale: string): ((word: string) => boolean) => {
  const cues = cuesOf(locale)
  if (!cues) return () => true
  const { complains, determiners, stances, adjectives } = cues
  const qualities = [complains, determiners, stances.regrets, stances.praises, adjectives].filter(Boolean)
  const quality = new RegExp(`^(?:${qualities.join('|')})$`, 'iu')
  return (word) => [word, word.replace(LINKS, '')].some((one) => isGeneric(one, locale) || quality.test(one))
})
