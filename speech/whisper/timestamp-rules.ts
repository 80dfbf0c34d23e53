import { TOKENS, type Vocabulary } from './vocabulary.ts'

/** The first words begin within a second: the window was cut where speech begins. */
const LATEST_FIRST_TIMESTAMP = TOKENS.firstTimestamp + 50

/**
 * What whisper may say next. Times come as pairs around text (start, words, end), never run backwards, and are chosen
 * whenever all of them together are likelier than the likeliest word, since each alone is one of 1,500.
 */
export function applyRules(logits: Float32Array, said: readonly number[], vocabulary: Vocabulary): void {
  for (const token of vocabulary.suppressed) logits[token] = Number.NEGATIVE_INFINITY
  logits[TOKENS.noTimestamps] = Number.NEGATIVE_INFINITY
  if (said.length === 0) mustBeginWithTime(logits, vocabulary)
  else mustFollow(logits, said)
}

function mustFollow(logits: Float32Array, said: readonly number[]): void {
  applyPairs(logits, said)
  const latest = said.findLast(isTimestamp)
  if (latest !== undefined) forbid(logits, TOKENS.firstTimestamp, isPairOpen(said) ? latest + 1 : latest)
  if (timesAreLikelier(logits)) forbid(logits, 0, TOKENS.firstTimestamp)
}

export const isTimestamp = (token: number): boolean => token >= TOKENS.firstTimestamp

function mustBeginWithTime(logits: Float32Array, vocabulary: Vocabulary): void {
  for (const token of vocabulary.suppressedFirst) logits[token] = Number.NEGATIVE_INFINITY
  forbid(logits, 0, TOKENS.firstTimestamp)
  forbid(logits, LATEST_FIRST_TIMESTAMP + 1, logits.length)
}

function applyPairs(logits: Float32Array, said: readonly number[]): void {
  const [beforeLast, last] = [said.at(-2), said.at(-1) as number]
  if (!isTimestamp(last)) return
  const wasStart = beforeLast === undefined || isTimestamp(beforeLast)
  if (wasStart) forbid(logits, TOKENS.firstTimestamp, logits.length)
  // After an end comes the next start, or nothing.
  else forbid(logits, 0, TOKENS.end)
}

/** Words since the last time: an end must lie after their start. */
const isPairOpen = (said: readonly number[]): boolean => !isTimestamp(said.at(-1) as number)

function timesAreLikelier(logits: Float32Array): boolean {
  let bestWord = Number.NEGATIVE_INFINITY
  for (let token = 0; token < TOKENS.firstTimestamp; token++)
    bestWord = Math.max(bestWord, logits[token] as number)
  // Relative to the best word, so that exp can't overflow.
  let times = 0
  for (let token = TOKENS.firstTimestamp; token < logits.length; token++)
    times += Math.exp((logits[token] as number) - bestWord)
  return times > 1
}

function forbid(logits: Float32Array, from: number, to: number): void {
  logits.fill(Number.NEGATIVE_INFINITY, from, to)
}
