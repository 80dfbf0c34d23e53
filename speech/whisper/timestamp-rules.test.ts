import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/support/properties.ts'
import { indexOfLargest } from '../models/cached-decoder.ts'
import { phrasesOf } from './decode-window.ts'
import { applyRules, isTimestamp } from './timestamp-rules.ts'
import { TOKENS, type Vocabulary } from './vocabulary.ts'

const SIZE = TOKENS.firstTimestamp + 1501
const vocabulary: Vocabulary = {
  textOf: () => '',
  tokensOf: () => [],
  languages: new Map(),
  suppressed: [1, 2, TOKENS.start],
  suppressedFirst: [220, TOKENS.end],
}

/** The tokens of a model with the given preferences, under the rules. */
function decode(preferences: readonly number[]): number[] {
  const tokens: number[] = []
  for (const wish of preferences) {
    const logits = new Float32Array(SIZE)
    logits[wish] = 20
    applyRules(logits, tokens, vocabulary)
    const token = indexOfLargest(logits)
    if (token === TOKENS.end) break
    tokens.push(token)
  }
  return tokens
}

const anyToken = fc.oneof(
  fc.integer({ min: 3, max: 200 }),
  fc.integer({ min: TOKENS.firstTimestamp, max: SIZE - 1 }),
)

test('timestamps come first, surround text and never decrease', () => {
  fc.assert(
    fc.property(fc.array(anyToken, { minLength: 1, maxLength: 60 }), (preferences) => {
      const tokens = decode(preferences)
      const times = tokens.filter(isTimestamp)
      assert.ok(isTimestamp(tokens[0] as number))
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      )
      const hasThreeInARow = tokens.some((_, at) => at > 1 && tokens.slice(at - 2, at + 1).every(isTimestamp))
      assert.ok(!hasThreeInARow)
    }),
  )
})

test('suppressed tokens are not chosen', () => {
  assert.ok(
    !decode([TOKENS.firstTimestamp, 1, 2, TOKENS.start]).some((token) =>
      vocabulary.suppressed.includes(token),
    ),
  )
})

const at = (seconds: number): number => TOKENS.firstTimestamp + Math.round(seconds / 0.02)
const scored = (...tokens: number[]) => tokens.map((token) => ({ token, probability: 1 }))

test('phrases lie between their timestamps, and the last one ends with the window', () => {
  assert.deepEqual(phrasesOf(scored(at(0), 10, 11, at(2), at(2.5), 12), 5), [
    { start: 0, end: 2, tokens: scored(10, 11) },
    { start: 2.5, end: 5, tokens: scored(12) },
  ])
})

test('leaves out phrases after the end of the window, except the only one', () => {
  assert.deepEqual(phrasesOf(scored(at(0), 10, at(5.2), at(5.2), 11, at(7), at(7), 12), 5), [
    { start: 0, end: 5, tokens: scored(10) },
  ])
  assert.deepEqual(phrasesOf(scored(at(0.6), 10, at(0.8)), 0.5), [
    { start: 0.5, end: 0.5, tokens: scored(10) },
  ])
})
