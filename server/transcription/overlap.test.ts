import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/support/properties.ts'
import { isContained, overlapStart } from './overlap.ts'

const phrase = (start: number, end: number) => ({ start, end, text: 'said' })

const cases: [name: string, phrases: [start: number, end: number][], earliest: number, begin: number][] = [
  ['a truncated phrase is transcribed again', [[5_000, 10_000]], 0, 5_000],
  ['so is a phrase that ended just before the end of the audio', [[5_000, 9_600]], 0, 5_000],
  [
    'of a phrase that ended earlier, only the silence after it is transcribed again',
    [[5_000, 8_000]],
    0,
    9_000,
  ],
  ['the end of its last word is not transcribed again', [[5_000, 9_300]], 0, 9_550],
  [
    'a short phrase is transcribed again with the connected phrase before it',
    [
      [2_000, 9_000],
      [9_100, 10_000],
    ],
    0,
    2_000,
  ],
  [
    'but not with a phrase before a pause',
    [
      [2_000, 8_000],
      [9_100, 10_000],
    ],
    0,
    9_100,
  ],
  [
    'nor with a phrase before the earliest available audio',
    [
      [2_000, 9_000],
      [9_100, 10_000],
    ],
    5_000,
    9_100,
  ],
  ['a phrase that began before the earliest available audio stays', [[2_000, 10_000]], 5_000, 10_000],
  ['a phrase that is longer than the limit stays', [[-20_000, 10_000]], -30_000, 10_000],
  ['without a phrase, a little silence is transcribed again', [], 0, 9_000],
  ['and no more than is available', [], 9_500, 9_500],
]
for (const [name, phrases, earliest, begin] of cases)
  test(name, () => {
    const given = phrases.map(([start, end]) => phrase(start, end))
    assert.equal(overlapStart(10_000, given, earliest), begin)
  })

test('transcription begins within the available audio, and skips none', () => {
  const times = fc.array(fc.nat(60_000), { minLength: 4, maxLength: 4 })
  fc.assert(
    fc.property(times, fc.nat(60_000), (ends, earliest) => {
      const [a = 0, b = 0, c = 0, d = 0] = ends.toSorted((one, other) => one - other)
      const moment = Math.max(d, earliest)
      const begin = overlapStart(moment, [phrase(a, b), phrase(c, d)], earliest)
      assert.ok(begin >= earliest && begin <= moment)
    }),
  )
})

const said: [first: string, again: string, isSaid: boolean][] = [
  ['and the hou', 'And the house is large.', true],
  ['We met in the town.', 'we met in the town hall at noon', true],
  ['We met in the town.', 'Thank you.', false],
  ['We met in the town.', '', false],
  ['sorry but the users but the users but the users but', 'Sorry, but the mailbox is full.', true],
  ['I', 'I think', true],
  ['I', 'No', false],
  ['今天我们在公', '今天我们在公园见面', true],
  ['…', 'and so', false],
]
for (const [first, again, isSaid] of said)
  test(`“${first}” ${isSaid ? 'is' : 'is not'} contained in “${again}”`, () => {
    assert.equal(isContained(first, again), isSaid)
  })

test('a text is contained in itself with more text after it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (first, more) => {
      const hasLetters = /[\p{L}\p{N}]/u.test(first)
      assert.equal(isContained(first, `${first} ${more}`), hasLetters)
    }),
  )
})
