import { isTimestamp } from './timestamp-rules.ts'
import { SECONDS_PER_TIMESTAMP, TOKENS } from './vocabulary.ts'

/** Text between two timestamps, in seconds from the beginning of the window. */
export interface Phrase {
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
