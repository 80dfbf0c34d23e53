import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/support/properties.ts'
import { joinOverlap, overlapStart, type Phrase } from './overlap.ts'

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

const detected: [name: string, phrases: [start: number, end: number][], finishedTo: number, begin: number][] =
  [
    ['transcription begins where unfinished speech began', [[5_000, 7_000]], 8_200, 8_200],
    [
      'a finished phrase is not transcribed again, although it ended just before',
      [[5_000, 9_700]],
      9_840,
      9_840,
    ],
    [
      'a phrase across the beginning of unfinished speech is transcribed again',
      [[5_000, 9_000]],
      8_200,
      5_000,
    ],
    ['unless it is longer than the limit', [[-40_000, 9_000]], 8_200, 8_200],
    ['unfinished speech that is longer than the limit stays', [], -40_000, 10_000],
  ]
for (const [name, phrases, finishedTo, begin] of detected)
  test(name, () => {
    const given = phrases.map(([start, end]) => phrase(start, end))
    assert.equal(overlapStart(10_000, given, -60_000, finishedTo), begin)
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

const spoken = (start: number, end: number, text: string) => ({ start, end, text })

const joins: [name: string, earlier: Phrase[], again: Phrase[], result: Phrase[]][] = [
  [
    'the second transcription of a truncated phrase replaces the first, whatever its spelling',
    [spoken(2_000, 5_000, 'Now just peek')],
    [spoken(2_050, 7_400, 'Now jest be a good boy')],
    [spoken(2_050, 7_400, 'Now jest be a good boy')],
  ],
  [
    'it replaces two phrases that are one now',
    [spoken(2_000, 4_000, 'We met in'), spoken(4_100, 5_000, 'town')],
    [spoken(2_000, 8_000, 'We met in the town hall.')],
    [spoken(2_000, 8_000, 'We met in the town hall.')],
  ],
  [
    'a phrase that the second transcription does not have stays',
    [spoken(2_000, 5_000, 'We met in the town.')],
    [spoken(6_000, 8_000, 'At noon.')],
    [spoken(2_000, 5_000, 'We met in the town.'), spoken(6_000, 8_000, 'At noon.')],
  ],
  [
    'a new phrase within the time of one that stays is dropped',
    [spoken(0, 5_000, 'We met in the town.')],
    [spoken(4_000, 5_000, 'own.'), spoken(5_200, 8_000, 'At noon.')],
    [spoken(0, 5_000, 'We met in the town.'), spoken(5_200, 8_000, 'At noon.')],
  ],
  [
    'a new phrase that begins within one that stays begins at its end',
    [spoken(0, 5_000, 'We met in the town.')],
    [spoken(4_600, 8_000, 'town at noon.')],
    [spoken(0, 5_000, 'We met in the town.'), spoken(5_000, 8_000, 'town at noon.')],
  ],
  ['nothing transcribed again loses nothing', [spoken(0, 900, 'Yes')], [], [spoken(0, 900, 'Yes')]],
]
for (const [name, earlier, again, result] of joins)
  test(name, () => {
    const { replaced, added } = joinOverlap(earlier, again)
    assert.deepEqual([...earlier.filter((phrase) => !replaced.includes(phrase)), ...added], result)
  })

test('after a join no phrases overlap, and no earlier speech is without a phrase', () => {
  const phrases = fc
    .array(fc.tuple(fc.nat(3_000), fc.integer({ min: 1, max: 9_000 })), { maxLength: 6 })
    .map((parts) => {
      let end = 0
      return parts.map(([pause, length]) => {
        const start = end + pause
        end = start + length
        return spoken(start, end, 'said')
      })
    })
  fc.assert(
    fc.property(phrases, phrases, (earlier, again) => {
      const { replaced, added } = joinOverlap(earlier, again)
      const kept = earlier.filter((phrase) => !replaced.includes(phrase))
      for (const phrase of kept)
        for (const other of added) assert.ok(other.start >= phrase.end || kept.at(-1) !== phrase)
      for (const phrase of replaced)
        assert.ok(again.some(({ start, end }) => start < phrase.end + 700 && end > phrase.start - 700))
    }),
  )
})
