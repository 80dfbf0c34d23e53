import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../test/support/properties.ts'
import { joinWindows } from './join-windows.ts'
import type { Segment } from './types.ts'

const segment = (text: string) => ({ start: 0, end: 1, text })
const join = (left: string, right: string): string =>
  joinWindows([segment(left)], [segment(right)], 0)
    .map(({ text }) => text)
    .join(' ')

const cases: [name: string, left: string, right: string, joined: string][] = [
  [
    'shared words are kept once',
    'we met in the town hall',
    'in the town hall at noon',
    'we met in the town hall at noon',
  ],
  [
    'a word cut off on the left is whole on the right',
    'we met in the town ha',
    'the town hall at noon',
    'we met in the town hall at noon',
  ],
  [
    'a word cut off on the right is whole on the left',
    'we met in the town hall',
    'own hall at noon',
    'we met in the town hall at noon',
  ],
  [
    'case and punctuation are ignored',
    'We met. In the Town',
    'in the town, at noon',
    'We met. In the Town at noon',
  ],
  [
    'one short shared word is not enough to join',
    'he took the',
    'a walk to the park',
    'he took the a walk to the park',
  ],
  ['windows without shared words are kept whole', 'good morning', 'we begin', 'good morning we begin'],
  ['scripts without spaces are joined by character', '今天我们在公园', '在公园见面', '今天我们在公园 见面'],
  ['an empty window is ignored', '', 'we begin', 'we begin'],
]

for (const [name, left, right, expected] of cases)
  test(name, () => {
    assert.equal(join(left, right).trim(), expected)
  })

test('drops a short segment that lies within the overlap', () => {
  const right = [segment('town hall.'), segment('At noon.')]
  assert.deepEqual(
    joinWindows([segment('We met in the town hall.')], right, 0).map(({ text }) => text),
    ['We met in the town hall.', 'At noon.'],
  )
})

test('loses and repeats no word, wherever the windows overlap', () => {
  const words = fc.uniqueArray(fc.stringMatching(/^[a-z]{2,8}$/), { minLength: 8, maxLength: 40 })
  fc.assert(
    fc.property(words, fc.nat(), fc.integer({ min: 2, max: 10 }), (spoken, seed, shared) => {
      const cut = 2 + (seed % (spoken.length - 3))
      const [from, to] = [
        Math.max(0, cut - Math.ceil(shared / 2)),
        Math.min(spoken.length, cut + Math.ceil(shared / 2)),
      ]
      assert.equal(join(spoken.slice(0, to).join(' '), spoken.slice(from).join(' ')).trim(), spoken.join(' '))
    }),
  )
})

test('the split moves to the end of the shared words', () => {
  const left = { start: 0, end: 10, text: 'we met in the town hall' }
  const right = { start: 10, end: 14, text: 'in the town hall at noon' }
  assert.deepEqual(joinWindows([left], [right], 2), [
    { start: 0, end: 12, text: 'we met in the town hall' },
    { start: 12, end: 14, text: 'at noon' },
  ])
})

const words = fc.array(
  fc.constantFrom('we', 'met', 'in', 'the', 'town', 'hall', 'at', 'noon.', '在公园见面。', '今天'),
  {
    minLength: 1,
    maxLength: 20,
  },
)

test('the words of a segment stay those of its text', () => {
  const withWords = (texts: readonly string[]): Segment => ({
    ...segment(texts.join(' ')),
    words: texts.map((text) => ({ start: 0, end: 1, text, confidence: 1 })),
  })
  fc.assert(
    fc.property(words, words, (left, right) => {
      for (const joined of joinWindows([withWords(left)], [withWords(right)], 0))
        assert.equal(joined.words?.map(({ text }) => text).join(''), joined.text.replaceAll(/\s/g, ''))
    }),
  )
})
