import { gzipSync } from 'node:zlib'
import { type DecodeNext, dropLoop, indexOfLargest } from '../models/cached-decoder.ts'
import type { Segment } from '../types.ts'
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
/** Silence that whisper transcribed with low confidence (its own limits). */
const NO_SPEECH = 0.6
const LOW_CONFIDENCE = -1

interface Attempt {
  tokens: number[]
  /** Mean log probability of the chosen tokens. */
  confidence: number
  noSpeech: number
}

/** Greedy decoding. A window that repeats itself is decoded again, with no three tokens allowed twice. */
export async function decodeWindow(
  start: () => DecodeNext,
  prompt: readonly number[],
  seconds: number,
  vocabulary: Vocabulary,
): Promise<Segment[]> {
  let attempt = await read(start(), prompt, seconds, vocabulary, false)
  if (isRepetitive(vocabulary.textOf(attempt.tokens)))
    attempt = await read(start(), prompt, seconds, vocabulary, true)
  if (attempt.noSpeech > NO_SPEECH && attempt.confidence < LOW_CONFIDENCE) return []
  return phrasesOf(dropLoop(attempt.tokens), seconds)
    .map(({ start, end, tokens }) => ({ start, end, text: vocabulary.textOf(tokens).trim() }))
    .filter(({ text }) => text !== '')
}

async function read(
  next: DecodeNext,
  prompt: readonly number[],
  seconds: number,
  vocabulary: Vocabulary,
  withoutRepeats: boolean,
): Promise<Attempt> {
  const limit = Math.min(MAX_TOKENS, Math.ceil(MIN_TOKENS + seconds * TOKENS_PER_SECOND))
  const tokens: number[] = []
  let logits = await next(prompt)
  const noSpeech = probabilityOf(logits, TOKENS.noSpeech)
  let confidence = 0
  while (tokens.length < limit) {
    applyRules(logits, tokens, vocabulary)
    if (withoutRepeats) forbidRepeats(logits, tokens)
    const token = indexOfLargest(logits)
    confidence += Math.log(probabilityOf(logits, token))
    if (token === TOKENS.end) break
    tokens.push(token)
    logits = await next([token])
  }
  return { tokens, confidence: confidence / (tokens.length + 1), noSpeech }
}

function probabilityOf(logits: Float32Array, token: number): number {
  const largest = logits[indexOfLargest(logits)] as number
  const sum = logits.reduce((total, value) => total + Math.exp(value - largest), 0)
  return Math.exp((logits[token] as number) - largest) / sum
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
  tokens: number[]
}

/** A last phrase without an end timestamp ends with the window. */
export function phrasesOf(all: readonly number[], windowSeconds: number): Phrase[] {
  const phrases: Phrase[] = []
  let start = 0
  let tokens: number[] = []
  const close = (end: number): void => {
    if (tokens.length > 0) phrases.push({ start, end: Math.min(Math.max(start, end), windowSeconds), tokens })
    tokens = []
  }
  for (const token of all) {
    if (!isTimestamp(token)) {
      tokens.push(token)
      continue
    }
    const time = (token - TOKENS.firstTimestamp) * SECONDS_PER_TIMESTAMP
    close(time)
    start = Math.min(time, windowSeconds)
  }
  close(windowSeconds)
  return phrases
}
