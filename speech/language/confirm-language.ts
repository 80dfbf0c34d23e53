import type { Recognition } from '../models/confidence.ts'
import { UNCONFIRMED_WORD } from '../slurs/slurs.ts'
import { agree, betterReading, type Reading } from './compare-texts.ts'
import type { LanguageBelief, LanguageScores } from './language-belief.ts'

/** Whisper's text of the stretch in a language. */
type Read = (language: string) => Promise<Reading>

/** With a lower confidence of the English model, the speech is probably not English. */
export const UNLIKELY_ENGLISH = 0.6

/** Changes the language to one in which the words make more sense. */
export async function switchIfBetter(
  belief: LanguageBelief,
  current: Reading,
  scores: LanguageScores,
  read: Read,
  isDenied = false,
): Promise<void> {
  const rivals: Reading[] = []
  for (const language of belief.rivals(scores)) rivals.push(await read(language))
  const better = betterReading(current, rivals, isDenied)
  if (better) belief.switchTo(better.language)
}

/** Two models that read the same words are right. If they do not, the speech is in another language or unclear. */
export async function confirmEnglish(
  belief: LanguageBelief,
  english: Recognition,
  scores: LanguageScores,
  read: Read,
): Promise<Recognition> {
  const second = await read('en')
  if (agree(english.text, second.text)) return english
  await switchIfBetter(belief, { ...english, language: 'en' }, scores, read, true)
  if (english.confidence < UNLIKELY_ENGLISH)
    return { ...english, text: english.text === '' ? '' : UNCONFIRMED_WORD, words: [] }
  return { ...english, confidence: Math.min(english.confidence, second.confidence) }
}
