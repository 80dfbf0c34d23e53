import assert from 'node:assert/strict'
import { test } from 'node:test'
import { carryCorrections } from './carry-corrections.ts'

const segment = (start: number, end: number, text: string, more = {}) => ({ start, end, text, ...more })
const correction = (start: number, end: number, id = 'c') => ({ id, start, end })

test('a correction applies to the segment of its time, within a second', () => {
  const [one, two] = [segment(0, 4_000, 'a'), segment(4_000, 8_000, 'b')]
  assert.deepEqual(carryCorrections([one, two], [correction(3_100, 8_900)]), [one, { ...two, id: 'c' }])
  assert.deepEqual(carryCorrections([one, two], [correction(2_900, 8_000)]), [one, two])
  assert.deepEqual(carryCorrections([one, two], [correction(9_000, 12_000)]), [one, two])
})

test('parts of what was one segment are merged, so that no word appears twice', () => {
  const parts = [
    segment(0, 2_000, 'a', { confidence: 0.9, words: [{ text: 'a' }] }),
    segment(2_000, 4_000, 'b', { confidence: 0.4, words: [{ text: 'b' }] }),
    segment(4_000, 6_000, 'c'),
  ]
  assert.deepEqual(carryCorrections(parts, [correction(0, 4_200)]), [
    { start: 0, end: 4_000, text: 'a b', confidence: 0.4, words: [{ text: 'a' }, { text: 'b' }], id: 'c' },
    parts[2],
  ])
})

test('parts of different speakers are not merged', () => {
  const parts = [segment(0, 2_000, 'a', { speaker: 'A' }), segment(2_000, 4_000, 'b', { speaker: 'B' })]
  assert.deepEqual(carryCorrections(parts, [correction(0, 4_000)]), parts)
})

test('the first of two corrections of the same time applies', () => {
  const [only] = carryCorrections(
    [segment(0, 4_000, 'a')],
    [correction(0, 4_000, 'new'), correction(0, 4_000, 'old')],
  )
  assert.equal(only?.id, 'new')
})
