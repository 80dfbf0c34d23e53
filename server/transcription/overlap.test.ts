import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/support/properties.ts'
import { isContained, overlapStart } from './overlap.ts'

const phrase = (start: number, end: number) => ({ start, end, text: 'said' })

const cases: [name: string, phrases: [start: number, end: number][], earliest: number, begin: number][] = [
  ['a phrase that ran into the seam is heard again', [[5_000, 10_000]], 0, 5_000],
  ['so is one that ended just before it', [[5_000, 9_600]], 0, 5_000],
  ['one that ended well before it is not, but the silence after it', [[5_000, 8_000]], 0, 9_000],
  ['nor is the end of its last word', [[5_000, 9_300]], 0, 9_550],
  [
    'a short one is heard again with what was said in the same breath',
    [
      [2_000, 9_000],
      [9_100, 10_000],
    ],
    0,
    2_000,
  ],
  [
    'but not with what was said before a pause',
    [
      [2_000, 8_000],
      [9_100, 10_000],
    ],
    0,
    9_100,
  ],
  [
    'nor with more than can be heard',
    [
      [2_000, 9_000],
      [9_100, 10_000],
    ],
    5_000,
    9_100,
  ],
  ['what began before all that can be heard is left as it is', [[2_000, 10_000]], 5_000, 10_000],
  ['what went on for longer than engines listen is left as it is', [[-20_000, 10_000]], -30_000, 10_000],
  ['without a phrase a little silence is heard again', [], 0, 9_000],
  ['and no more than there is', [], 9_500, 9_500],
]
for (const [name, phrases, earliest, begin] of cases)
  test(name, () => {
    const given = phrases.map(([start, end]) => phrase(start, end))
    assert.equal(overlapStart(10_000, given, earliest), begin)
  })

test('hearing begins neither before what can be heard nor after what was not', () => {
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
  test(`“${first}” ${isSaid ? 'is' : 'is not'} said again by “${again}”`, () => {
    assert.equal(isContained(first, again), isSaid)
  })

test('whatever is said again with more behind it is found', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (first, more) => {
      const hasLetters = /[\p{L}\p{N}]/u.test(first)
      assert.equal(isContained(first, `${first} ${more}`), hasLetters)
    }),
  )
})
