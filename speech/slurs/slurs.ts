import { createHash } from 'node:crypto'
import type { Recognition } from '../models/confidence.ts'
import { UNCONFIRMED_WORD } from '../types.ts'
import { SLUR_DIGESTS } from './digests.ts'

/** A word with at least this confidence is printed without a second recognition. */
const SURE = 0.9

export type IsSlur = (word: string, language: string) => boolean

export const isSlur: IsSlur = (word, language) =>
  SLUR_DIGESTS[language]?.has(digestOf(normalize(word))) ?? false

/** Digests, so that neither the repository nor a search in it shows the words. */
export const digestOf = (word: string): string =>
  createHash('sha256').update(`parley:${word}`).digest('hex').slice(0, 16)

const normalize = (word: string): string =>
  word
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '')

/**
 * Keeps a slur that the engine is unsure of only if a second recognition contains it, too. Quiet speech was recognised as a racial slur
 * that no one had said.
 */
export async function withConfirmedSlurs<T extends Recognition>(
  recognition: T,
  language: string,
  recogniseAgain: () => Promise<string>,
  isListed: IsSlur = isSlur,
): Promise<T> {
  const doubtful = recognition.words.filter(
    ({ text, confidence }) => confidence < SURE && isListed(text, language),
  )
  if (doubtful.length === 0) return recognition
  const confirmed = new Set((await recogniseAgain()).split(/\s+/).map(normalize))
  const rejected = new Set(doubtful.map(({ text }) => normalize(text)).filter((word) => !confirmed.has(word)))
  if (rejected.size === 0) return recognition
  const isRejected = (word: string): boolean => rejected.has(normalize(word))
  return {
    ...recognition,
    // Confidence is that of the replaced word: the text around it is doubtful, too.
    confidence: Math.min(recognition.confidence, ...doubtful.map(({ confidence }) => confidence)),
    text: recognition.text.replaceAll(/\S+/g, (word) => (isRejected(word) ? replaced(word) : word)),
    words: recognition.words.map((word) =>
      isRejected(word.text) ? { ...word, text: replaced(word.text) } : word,
    ),
  }
}

/** Punctuation around the word stays. */
const replaced = (word: string): string =>
  word.replace(/[\p{L}\p{M}\p{N}](?:.*[\p{L}\p{M}\p{N}])?/u, UNCONFIRMED_WORD)
