import { asUnclear, type Recognition } from '../models/confidence.ts'
import { UNCONFIRMED_WORD } from '../types.ts'
import {
  agree,
  betterReading,
  CLEAR,
  likelierReading,
  type Reading,
  UNLIKELY_SPEECH,
} from './compare-texts.ts'
import { type LanguageBelief, type LanguageScores, probabilityIn } from './language-belief.ts'

/** Whisper's text of the stretch in a language. */
type Read = (language: string) => Promise<Reading>

/** With a lower confidence of the English model, the speech is probably not English. */
export const UNLIKELY_ENGLISH = 0.6

/** Whether a language that is new and not offered is really spoken. Whisper invents words for noises, in whatever language they sound like. */
export async function isSpoken(
  belief: LanguageBelief,
  scores: LanguageScores,
  read: Read,
  before: string,
): Promise<boolean> {
  const language = belief.current
  if (language === null || language === before || belief.isOffered(language)) return true
  const { text, confidence } = await read(language)
  if (text === '' || confidence < UNLIKELY_SPEECH) return false
  return confidence >= CLEAR || probabilityIn(scores, language) >= CLEAR
}

/** Seconds with padding. One in two shorter stretches is detected as another language. */
const LONG = 2
/** Below this probability the language of 5 of 6 single words was wrong; above it, of 1 of 5. */
const SURE = 0.7

/**
 * Whether the only evidence for a language that is not offered is one short stretch with a low probability. Whisper writes a single
 * word of an unknown language as one of Arabic or Polish, with confidences up to 0.65.
 */
export async function isLoneWord(
  belief: LanguageBelief,
  language: string,
  seconds: number,
  score: () => Promise<LanguageScores>,
): Promise<boolean> {
  if (!belief.isDoubtful(language)) return false
  const isLone = seconds < LONG && probabilityIn(await score(), language) < SURE
  if (!isLone) belief.confirm(language)
  return isLone
}

/** Of 60 English words, 9 had a lower probability of English; of 52 in other languages that Moonshine took for English, 48. */
const SOUNDS_ENGLISH = 0.4

/**
 * Whether the first words of a recording are English, which Moonshine believes. It writes "Quote" for the Dutch answer "Goed" with 0.8.
 * A word that does not sound like English must be the one that Whisper reads, and clearly.
 */
export async function isEnglishAlone(
  belief: LanguageBelief,
  english: Recognition,
  seconds: number,
  score: () => Promise<LanguageScores>,
  read: Read,
): Promise<boolean> {
  if (seconds >= LONG || belief.isCertain('en') || probabilityIn(await score(), 'en') >= SOUNDS_ENGLISH)
    return true
  const second = await read('en')
  return second.confidence >= UNLIKELY_ENGLISH && agree(english.text, second.text)
}

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
  const better =
    betterReading(current, rivals, isDenied) ??
    (isDenied ? undefined : likelierReading(current, rivals, (language) => probabilityIn(scores, language)))
  if (better) belief.switchTo(better.language)
}

/** Replaces the words of the stretch by a mark, because they would be invented. */
export const unclear = <T extends Recognition>(recognition: T): T => ({
  ...recognition,
  text: recognition.text === '' ? '' : UNCONFIRMED_WORD,
  words: [],
})

/**
 * Two models that read the same words are right, unless both are unsure of them or the speech does not sound like English: Whisper
 * translates speech that it writes as English. Otherwise the speech is in another language or unclear.
 */
export async function confirmEnglish(
  belief: LanguageBelief,
  english: Recognition,
  scores: LanguageScores,
  read: Read,
): Promise<Recognition> {
  const second = await read('en')
  const isAgreed = agree(english.text, second.text)
  const isDetected = probabilityIn(scores, 'en') >= CLEAR
  const isUnlikely = english.confidence < UNLIKELY_ENGLISH
  if (isAgreed && isDetected && !isUnlikely) return english
  const doubtful = { ...english, confidence: Math.min(english.confidence, second.confidence) }
  if (isAgreed && isDetected) return doubtful
  await switchIfBetter(belief, { ...english, language: 'en' }, scores, read, true)
  if (isAgreed) return doubtful
  if (isUnlikely) return unclear(english)
  return isDetected ? doubtful : asUnclear(doubtful)
}
