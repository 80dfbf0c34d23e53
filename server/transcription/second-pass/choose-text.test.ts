import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseText, type FirstSegment } from './choose-text.ts'

interface Said {
  start: number
  end: number
  text: string
  confidence?: number | null
  speaker?: string
  isCorrected?: boolean
}

const firstOf = (said: readonly Said[]): FirstSegment[] =>
  said.map(({ confidence = 0.9, speaker = null, isCorrected = false, ...one }, n) => ({
    ...one,
    confidence,
    speaker,
    isCorrected,
    id: `${n}`,
  }))
const secondOf = (said: readonly Said[]) =>
  said.map(({ start, end, text, confidence = 0.9 }) => ({ start, end, text, confidence }))

/** The texts, with `=` before those of the first pass. */
const choose = (first: readonly Said[], second: readonly Said[]): string[] =>
  chooseText(firstOf(first), secondOf(second)).map(
    ({ from, segment }) => `${from === 'first' ? '=' : ''}${segment.text}`,
  )
const one = (text: string, more: Partial<Said> = {}): Said => ({ start: 0, end: 4_000, text, ...more })

const CASES: [name: string, first: Said[], second: Said[], expected: string[]][] = [
  ['other words', [one('The park is cloth.')], [one('The park is closed.')], ['The park is closed.']],
  ['other capitals and punctuation only', [one('Yes the park')], [one('Yes, the Park.')], ['=Yes the park']],
  ['words split otherwise only', [one('play ground')], [one('playground')], ['=play ground']],
  ['nothing instead of sure words', [one('The park is closed.')], [], ['=The park is closed.']],
  ['nothing instead of unsure words', [one('Dark is loathe', { confidence: 0.3 })], [], []],
  [
    'half of sure words',
    [one('The park is closed in the evening.')],
    [one('The park.')],
    ['=The park is closed in the evening.'],
  ],
  [
    'more than twice the sure words',
    [one('Thank you.')],
    [one('Thank you for watching, and see you next time.')],
    ['=Thank you.'],
  ],
  [
    'unsure words instead of sure ones',
    [one('The park is closed.')],
    [one('The bark is close.', { confidence: 0.4 })],
    ['=The park is closed.'],
  ],
  [
    'unsure words instead of unsure ones',
    [one('Dark is loathe', { confidence: 0.3 })],
    [one('The park is closed.', { confidence: 0.5 })],
    ['The park is closed.'],
  ],
  [
    'a model that repeats itself, instead of unsure words',
    [one('Dark is loathe', { confidence: 0.3, end: 1_000 })],
    [one('and so on '.repeat(20), { end: 1_000 })],
    ['=Dark is loathe'],
  ],
  ['sure words in silence', [], [one('And the benches.')], ['And the benches.']],
  ['unsure words in silence', [], [one('Thank you.', { confidence: 0.3 })], []],
]
for (const [name, first, second, expected] of CASES)
  test(`the better model finds ${name}`, () => assert.deepEqual(choose(first, second), expected))

test('decides for each stretch of speech, however the models split it', () => {
  const first = [
    { start: 0, end: 8_000, text: 'The park is cloth. It has no light.' },
    { start: 9_000, end: 12_000, text: 'We need benches.' },
    { start: 13_000, end: 16_000, text: 'And a fountain.' },
  ]
  const second = [
    { start: 100, end: 3_900, text: 'The park is closed.' },
    { start: 4_100, end: 8_200, text: 'It has no light.' },
    { start: 9_200, end: 11_900, text: 'We need benches!' },
  ]
  assert.deepEqual(choose(first, second), [
    'The park is closed.',
    'It has no light.',
    '=We need benches.',
    '=And a fountain.',
  ])
})

test('a short phrase whose times do not overlap in both passes appears once', () => {
  const first = [{ start: 1_000, end: 1_300, text: 'Yet.' }]
  assert.deepEqual(choose(first, [{ start: 1_500, end: 1_900, text: 'Yes.' }]), ['Yes.'])
})

test('a word at the edge of a stretch does not appear twice', () => {
  const first = [
    { start: 0, end: 4_000, text: 'The park is cloth.' },
    { start: 4_200, end: 4_600, text: 'Yes.' },
  ]
  assert.deepEqual(choose(first, [{ start: 0, end: 4_100, text: 'The park is closed. Yes.' }]), [
    'The park is closed. Yes.',
  ])
})

test('a new segment keeps the speaker of its time, and never joins two', () => {
  const first = [
    { start: 0, end: 4_000, text: 'Is the park cloth?', speaker: 'A' },
    { start: 4_000, end: 6_000, text: 'It his.', speaker: 'B' },
  ]
  const apart = [
    { start: 100, end: 4_300, text: 'Is the park closed?' },
    { start: 4_300, end: 6_000, text: 'It is.' },
  ]
  assert.deepEqual(
    chooseText(firstOf(first), secondOf(apart)).map(({ from, segment }) => [from, segment.speaker]),
    [
      ['second', 'A'],
      ['second', 'B'],
    ],
  )
  const joined = [{ start: 0, end: 6_000, text: 'Is the park closed? It is.' }]
  assert.deepEqual(choose(first, joined), ['=Is the park cloth?', '=It his.'])
})

test('a corrected segment gets the better text if the times match, and stays as it is if not', () => {
  const corrected = { isCorrected: true }
  const first = [one('The park is cloth.', corrected)]
  const [carried] = chooseText(firstOf(first), secondOf([one('The park is closed.', { start: 300 })]))
  assert.deepEqual([carried?.from, carried?.segment.id], ['second', '0'])
  const longer = [one('The park is closed in the evening.', { end: 9_000 })]
  assert.deepEqual(choose(first, longer), ['=The park is cloth.'])
})
