import { TOKENS, type Vocabulary } from './vocabulary.ts'

/** The first words begin within a second, because windows begin where speech begins. */
const LATEST_FIRST_TIMESTAMP = TOKENS.firstTimestamp + 50

/** Whisper's rules: timestamps surround text, never decrease, and win if all 1,500 together are more probable than the best word. */
export function applyRules(logits: Float32Array, tokens: readonly number[], vocabulary: Vocabulary): void {
  for (const token of vocabulary.suppressed) logits[token] = Number.NEGATIVE_INFINITY
  logits[TOKENS.noTimestamps] = Number.NEGATIVE_INFINITY
  if (tokens.length === 0) mustBeginWithTime(logits, vocabulary)
  else mustFollow(logits, tokens)
}

function mustFollow(logits: Float32Array, tokens: readonly number[]): void {
  applyPairs(logits, tokens)
  const latest = tokens.findLast(isTimestamp)
  if (latest !== undefined) forbid(logits, TOKENS.firstTimestamp, isPairOpen(tokens) ? latest + 1 : latest)
  if (timesAreLikelier(logits)) forbid(logits, 0, TOKENS.firstTimestamp)
}

export const isTimestamp = (token: number): boolean => token >= TOKENS.firstTimestamp

function mustBeginWithTime(logits: Float32Array, vocabulary: Vocabulary): void {
  for (const token of vocabulary.suppressedFirst) logits[token] = Number.NEGATIVE_INFINITY
  forbid(logits, 0, TOKENS.firstTimestamp)
  forbid(logits, LATEST_FIRST_TIMESTAMP + 1, logits.length)
}

function applyPairs(logits: Float32Array, tokens: readonly number[]): void {
  const [beforeLast, last] = [tokens.at(-2), tokens.at(-1) as number]
  if (!isTimestamp(last)) return
  const wasStart = beforeLast === undefined || isTimestamp(beforeLast)
  if (wasStart) forbid(logits, TOKENS.firstTimestamp, logits.length)
  // An end is followed by the next start, or nothing.
  else forbid(logits, 0, TOKENS.end)
}

/** Whether text follows the last timestamp: then an end must lie after it. */
const isPairOpen = (tokens: readonly number[]): boolean => !isTimestamp(tokens.at(-1) as number)

function timesAreLikelier(logits: Float32Array): boolean {
  let bestWord = Number.NEGATIVE_INFINITY
  for (let token = 0; token < TOKENS.firstTimestamp; token++)
    bestWord = Math.max(bestWord, logits[token] as number)
  // Relative to the best word, so that exp cannot overflow.
  let times = 0
  for (let token = TOKENS.firstTimestamp; token < logits.length; token++)
    times += Math.exp((logits[token] as number) - bestWord)
  return times > 1
}

function forbid(logits: Float32Array, from: number, to: number): void {
  logits.fill(Number.NEGATIVE_INFINITY, from, to)
}
