import type { Segment } from '../../speech/types.ts'
import { rounded } from '../deliveries/figures.ts'
import { wordsOf } from './engine.ts'
import { saidWords } from './word-errors.ts'

const THRESHOLDS = [0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7]

interface ScoredSegment {
  confidence: number
  words: number
  wrong: number
}

/** Collects how many words of segments with a low and with a high confidence are wrong. */
export function createConfidenceScores() {
  const scored: ScoredSegment[] = []
  const wrongPercent = (part: readonly ScoredSegment[]): number => {
    const sum = (key: 'words' | 'wrong'): number => part.reduce((total, segment) => total + segment[key], 0)
    return rounded((sum('wrong') / Math.max(1, sum('words'))) * 100, 1)
  }
  return {
    add(expected: readonly string[], segments: readonly Segment[]): void {
      const said = saidWords(expected, wordsOf(segments))
      for (const segment of segments) {
        const own = said.splice(0, wordsOf([segment]).length)
        const wrong = own.filter((isSaid) => !isSaid).length
        scored.push({ confidence: segment.confidence ?? 1, words: own.length, wrong })
      }
    },
    /** For each threshold, the segments below it and the wrong words on both sides. */
    figures: () =>
      THRESHOLDS.map((threshold) => {
        const below = scored.filter(({ confidence }) => confidence < threshold)
        const above = scored.filter(({ confidence }) => confidence >= threshold)
        return {
          threshold,
          segments_below: below.length,
          segments: scored.length,
          wrong_words_percent_below: wrongPercent(below),
          wrong_words_percent_above: wrongPercent(above),
        }
      }),
  }
}
