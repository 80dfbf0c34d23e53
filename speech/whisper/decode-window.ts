import { gzipSync } from 'node:zlib'
import { type DecodeNext, dropLoop, indexOfLargest } from '../models/cached-decoder.ts'
import { probabilityOf, type Recognition, type ScoredToken } from '../models/confidence.ts'
import { type CutOff, recogniseCutOff } from '../models/cut-off.ts'
import { UNCLEAR_BELOW } from '../types.ts'
import { isSoundDescription } from './sound-description.ts'
import { applyRules, isTimestamp } from './timestamp-rules.ts'
import { SECONDS_PER_TIMESTAMP, TOKENS, type Vocabulary } from './vocabulary.ts'

/** Non-Latin scripts take a token or more per character: 15 per second. */
const TOKENS_PER_SECOND = 15
const MIN_TOKENS = 40
const MAX_TOKENS = 220
/** Text that compresses better than this repeats itself (whisper's own limit). */
const MAX_COMPRESSION = 2.4
/** Three tokens: natural speech seldom repeats them. */
const REPEAT_LENGTH = 3
/** Whisper base is less sure of right words than the English model. */
const DOUBTFUL = 0.3

/** Words with their times, in seconds from the beginning of the window. */
export interface RecognisedPhrase extends Recognition {
  start: number
  end: number
}

/**
 * Greedy decoding. A window that repeats itself is decoded again, with no three tokens allowed twice.
 */
export async function decodeWindow(
  start: () => DecodeNext,
  prompt: readonly number[],
  seconds: number,
  vocabulary: Vocabulary,
  cutOff: CutOff,
): Promise<RecognisedPhrase[]> {
  let decoded = await read(start(), prompt, seconds, vocabulary, false)
  if (isRepetitive(vocabulary.textOf(decoded.map(({ token }) => token))))
    decoded = await read(start(), prompt, seconds, vocabulary, true)
  const { textOf } = vocabulary
  const phrases = phrasesOf(dropLoop(decoded), seconds)
    .map(({ start, end, tokens }, index, { length }) => {
      const own = { atStart: cutOff.atStart && index === 0, atEnd: cutOff.atEnd && index === length - 1 }
      return { start, end, ...recogniseCutOff(tokens, textOf, DOUBTFUL, own) }
    })
    .filter((phrase) => phrase.text !== '' && !isSoundDescription(phrase))
  return dropRepeated(phrases)
}

/** A stuck decoder repeats a phrase that it was unsure of, more surely each time. People repeat clear ones. */
export function dropRepeated<T extends Recognition>(phrases: readonly T[]): T[] {
  const isSame = (one: T, other: T | undefined): boolean => one.text === other?.text
  return phrases.filter((phrase, index) => {
    const first = phrases.findLastIndex((other, n) => n < index && !isSame(other, phrase)) + 1
    const isRepeated = isSame(phrase, phrases[first + 1]) && isSame(phrase, phrases[first + 2])
    return index === first || !isRepeated || (phrases[first]?.confidence ?? 0) >= UNCLEAR_BELOW
  })
}

async function read(
  next: DecodeNext,
  prompt: readonly number[],
  seconds: number,
  vocabulary: Vocabulary,
  withoutRepeats: boolean,
): Promise<ScoredToken[]> {
  const limit = Math.min(MAX_TOKENS, Math.ceil(MIN_TOKENS + seconds * TOKENS_PER_SECOND))
  const tokens: number[] = []
  const scored: ScoredToken[] = []
  let logits = await next(prompt)
  while (tokens.length < limit) {
    applyRules(logits, tokens, vocabulary)
    if (withoutRepeats) forbidRepeats(logits, tokens)
    const token = indexOfLargest(logits)
    if (token === TOKENS.end) break
    tokens.push(token)
    scored.push({ token, probability: probabilityOf(logits, token) })
    logits = await next([token])
  }
  return scored
}

function isRepetitive(text: string): boolean {
  const bytes = Buffer.byteLength(text)
  return bytes > 60 && bytes / gzipSync(text).length > MAX_COMPRESSION
}

function forbidRepeats(logits: Float32Array, tokens: readonly number[]): void {
  const [first, second] = tokens.slice(-(REPEAT_LENGTH - 1))
  for (let index = 0; index + 2 < tokens.length; index++)
    if (tokens[index] === first && tokens[index + 1] === second)
      logits[tokens[index + 2] as number] = Number.NEGATIVE_INFINITY
}

/** Text between two timestamps, in seconds from the beginning of the window. */
interface Phrase {
  start: number
  end: number
  tokens: ScoredToken[]
}

/** A last phrase without an end timestamp ends with the window. Further phrases after the window are invented, and left out. */
export function phrasesOf(all: readonly ScoredToken[], windowSeconds: number): Phrase[] {
  const phrases: Phrase[] = []
  let start = 0
  let tokens: ScoredToken[] = []
  const close = (end: number): void => {
    const isInWindow = start < windowSeconds || phrases.length === 0
    if (tokens.length > 0 && isInWindow)
      phrases.push({ start, end: Math.min(Math.max(start, end), windowSeconds), tokens })
    tokens = []
  }
  for (const scored of all) {
    const { token } = scored
    if (!isTimestamp(token)) {
      tokens.push(scored)
      continue
    }
    const time = (token - TOKENS.firstTimestamp) * SECONDS_PER_TIMESTAMP
    close(time)
    start = Math.min(time, windowSeconds)
  }
  close(windowSeconds)
  return phrases
}
