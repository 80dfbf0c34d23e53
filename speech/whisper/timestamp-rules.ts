import { TOKENS, type Vocabulary } from './vocabulary.ts'

/** The first words begin within a second, because windows begin where speech begins. */
const LATEST_FIRST_TIMESTAMP = TOKENS.firstTimestamp + 50

/** Whisper's rules: timestamps surround text, never decrease, and win if all 1,500 together are more probable than the best word. */
export function applyRules(logits: Float32Array, tokens: readonly number[], vocabulary: Vocabulary): void {
  const { firstTimestamp, noTimestamps, end } = TOKENS
  const forbid = (from: number, to: number) => logits.fill(Number.NEGATIVE_INFINITY, from, to)
  const last = tokens.at(-1)
  const suppressed = last === undefined ? vocabulary.suppressedFirst : []
  for (const token of [noTimestamps, ...vocabulary.suppressed, ...suppressed]) forbid(token, token + 1)
  if (last === undefined) {
    forbid(0, firstTimestamp)
    forbid(LATEST_FIRST_TIMESTAMP + 1, logits.length)
    return
  }
  const beforeLast = tokens.at(-2)
  const isStart = isTimestamp(last) && (beforeLast === undefined || isTimestamp(beforeLast))
  if (isStart) forbid(firstTimestamp, logits.length)
  // An end is followed by the next start, or nothing.
  else if (isTimestamp(last)) forbid(0, end)
  const latest = tokens.findLast(isTimestamp)
  // An end must lie after its start, the next start can be equal to it.
  if (latest !== undefined) forbid(firstTimestamp, isTimestamp(last) ? latest : latest + 1)
  if (timesAreLikelier(logits)) forbid(0, firstTimestamp)
}

export const isTimestamp = (token: number): boolean => token >= TOKENS.firstTimestamp

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
