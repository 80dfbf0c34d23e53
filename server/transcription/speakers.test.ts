import assert from 'node:assert/strict'
import { test } from 'node:test'
import { speakersOf } from './speakers.ts'

const phrase = (start: number, end: number, speaker?: string) => ({
  start,
  end,
  text: 'said',
  ...(speaker && { speaker }),
})
const labels = (
  seq: number,
  phrases: ReturnType<typeof phrase>[],
  earlier: ReturnType<typeof phrase>[] = [],
) => speakersOf(seq, phrases, earlier).map(({ speaker }) => speaker)

test('the first chunk keeps the labels of the engine, later ones get their number', () => {
  assert.deepEqual(labels(0, [phrase(0, 1, 'A'), phrase(1, 2)]), ['A', undefined])
  assert.deepEqual(labels(3, [phrase(0, 1, 'A'), phrase(1, 2, 'B'), phrase(2, 3, 'A')]), [
    '4.A',
    '4.B',
    '4.A',
  ])
})

test('a speaker who talks across the boundary of two chunks keeps the label', () => {
  const earlier = [phrase(-2_000, -100, 'B')]
  const phrases = [phrase(-1_900, 1_000, 'A'), phrase(1_000, 2_000, 'B'), phrase(2_000, 3_000, 'A')]
  assert.deepEqual(labels(1, phrases, earlier), ['B', '2.B', 'B'])
})
