import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import { timeWords } from './time-words.ts'

const sound = (...seconds: number[]): Float32Array =>
  Float32Array.from(
    seconds.flatMap((length, index) =>
      Array<number>(length * SAMPLE_RATE).fill(index % 2 === 0 ? 0.3 : 0.001),
    ),
  )
const wordsOf = (text: string) => text.split(' ').map((word) => ({ text: word, confidence: 0.9 }))

test('words share the time of the sound by their length, and pauses lie between them', () => {
  const timed = timeWords(wordsOf('four four eightlen'), sound(1, 2, 1))
  assert.deepEqual(
    timed.map(({ start, end }) => [start, end].map((time) => Number(time.toFixed(2)))),
    [
      [0, 0.5],
      [0.5, 1],
      [3, 4],
    ],
  )
})

test('every word has a time within the sound, however short the sound is', () => {
  for (const samples of [new Float32Array(0), new Float32Array(100), sound(0.1)])
    for (const { start, end } of timeWords(wordsOf('many more words than there is time for'), samples))
      assert.ok(start >= 0 && end >= start && end <= Math.max(0.02, samples.length / SAMPLE_RATE) + 1e-9)
})
