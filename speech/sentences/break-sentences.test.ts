import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/support/properties.ts'
import { asUnclear } from '../models/confidence.ts'
import { type Segment, UNCLEAR_BELOW, type Word } from '../types.ts'
import { breakSentences } from './break-sentences.ts'

const AUDIO_END = 10_000

/** A segment whose words take half a second each, or as long as given. */
function segmentOf(
  text: string,
  {
    start = 0,
    pauses = {},
    language = 'en',
  }: { start?: number; pauses?: Record<number, number>; language?: string } = {},
): Segment {
  let at = start
  const words: Word[] = text.split(' ').map((word, index) => {
    at += pauses[index] ?? 0
    const timed = { start: at, end: at + 0.5, text: word, confidence: 0.9 }
    at += 0.5
    return timed
  })
  return { start, end: at, text, language, confidence: 0.8, words }
}

const textsOf = (segments: readonly Segment[]): string[] => segments.map(({ text }) => text)

const SENTENCES =
  'The bridge has been closed since March and no one told us. Mr. Smith said it opens in May! Will it really open then or not?'

test('splits a long segment where sentences end, at the times of the words', () => {
  const broken = breakSentences([segmentOf(SENTENCES)], AUDIO_END)
  assert.deepEqual(textsOf(broken), [
    'The bridge has been closed since March and no one told us.',
    'Mr. Smith said it opens in May!',
    'Will it really open then or not?',
  ])
  assert.deepEqual(
    broken.map(({ start, end }) => [start, end]),
    [
      [0, 6],
      [6, 9.5],
      [9.5, 13],
    ],
  )
  assert.deepEqual(
    broken.map(({ words }) => words?.length),
    [12, 7, 7],
  )
})

test('leaves short segments and those at the end of the audio whole', () => {
  const short = segmentOf('We met. They left.')
  assert.deepEqual(textsOf(breakSentences([short], AUDIO_END)), ['We met. They left.'])
  const last = segmentOf(SENTENCES)
  assert.equal(breakSentences([last], last.end + 1).length, 1)
})

test('breaks long speech without punctuation at pauses, with capitals', () => {
  const words = Array.from({ length: 30 }, (_, n) => `word${n}`).join(' ')
  const broken = breakSentences([segmentOf(words, { pauses: { 12: 0.6, 20: 0.1 } })], AUDIO_END)
  assert.deepEqual(
    broken.map(({ text }) => text.split(' ')[0]),
    ['Word0', 'Word12'],
  )
  assert.equal(broken[1]?.words?.[0]?.text, 'Word12')
})

test('the mark for words that were not understood has no capital', () => {
  assert.deepEqual(textsOf(breakSentences([segmentOf('[unclear] and the bridge.')], AUDIO_END)), [
    '[unclear] and the bridge.',
  ])
})

test('begins a sentence with a capital, but not the rest of one', () => {
  const segments = [
    segmentOf('we think that'),
    segmentOf('the road is closed.', { start: 1.6 }),
    segmentOf("'s avonds is het stil", { start: 4, language: 'nl' }),
    segmentOf('iPhone users agree', { start: 20 }),
  ]
  assert.deepEqual(textsOf(breakSentences(segments, AUDIO_END)), [
    'We think that',
    'the road is closed.',
    "'s avonds is het stil",
    'iPhone users agree',
  ])
})

test('begins the sentences within a short segment with a capital, too', () => {
  const [segment] = breakSentences([segmentOf('Welcome to the mail. first, I will guide you.')], AUDIO_END)
  assert.equal(segment?.text, 'Welcome to the mail. First, I will guide you.')
  assert.equal(segment?.words?.map(({ text }) => text).join(' '), segment?.text)
  for (const text of [
    'The app of St. john.',
    'We paid 3.50 e.g. for tea.',
    'Well... maybe not.',
    'He said “no.” and left.',
  ])
    assert.deepEqual(textsOf(breakSentences([segmentOf(text)], AUDIO_END)), [text])
})

test('divides the confidence by that of the words', () => {
  const whole = segmentOf(SENTENCES)
  const words = whole.words?.map((word, index) => ({ ...word, confidence: index < 12 ? 0.99 : 0.5 })) ?? []
  const [sure, unsure] = breakSentences([{ ...whole, words }], AUDIO_END)
  assert.ok((sure?.confidence ?? 0) > 0.95)
  assert.ok((unsure?.confidence ?? 1) < 0.8)
})

test('all parts of a segment that is marked as unclear stay unclear', () => {
  const whole = segmentOf(SENTENCES)
  for (const least of [0.3, 0.99]) {
    const words =
      whole.words?.map((word, index) => ({ ...word, confidence: index < 12 ? 0.99 : least })) ?? []
    const parts = breakSentences([asUnclear({ ...whole, words })], AUDIO_END)
    assert.ok(parts.length > 1)
    for (const { text, confidence = 1 } of parts)
      assert.ok(confidence < UNCLEAR_BELOW, `${text}: ${confidence}`)
  }
})

test('splits scripts without spaces', () => {
  const words = ['橋は三月から閉鎖されています。', '誰も教えてくれませんでした。', '本当に開きますか？'].map(
    (text, index) => ({ start: index * 5, end: index * 5 + 5, text, confidence: 0.9 }),
  )
  const text = words.map((word) => word.text).join('')
  assert.deepEqual(
    textsOf(breakSentences([{ start: 0, end: 15, text, language: 'ja', words }], AUDIO_END)),
    words.map((word) => word.text),
  )
})

const words = fc.array(
  fc.record({
    text: fc.stringMatching(/^[a-zA-ZéÉ0-9'”]{1,6}[.,!?…]?$/),
    gap: fc.double({ min: -0.3, max: 2, noNaN: true }),
    length: fc.double({ min: 0, max: 1, noNaN: true }),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { minLength: 1, maxLength: 60 },
)

test('never changes words or their order, and times increase', () => {
  fc.assert(
    fc.property(
      fc.array(words, { maxLength: 4 }),
      fc.double({ min: 0, max: 200, noNaN: true }),
      (all, end) => {
        let at = 0
        const segments = all.map((items): Segment => {
          const start = at
          const timed = items.map(({ text, gap, length, confidence }) => {
            const word = { start: at + gap, end: at + gap + length, text, confidence }
            at = Math.max(at, word.end)
            return word
          })
          return {
            start,
            end: at,
            text: items.map(({ text }) => text).join(' '),
            words: timed,
            confidence: 0.7,
          }
        })
        const broken = breakSentences(segments, end)
        const spoken = (list: readonly Segment[]): string => textsOf(list).join(' ').toLowerCase()
        assert.equal(spoken(broken), spoken(segments))
        for (const { text, words: own = [], confidence = -1 } of broken) {
          assert.equal(own.map((word) => word.text).join(' '), text)
          assert.ok(confidence >= 0 && confidence <= 1)
        }
        const times = broken.flatMap((segment) => [
          segment.start,
          ...(segment.words ?? []).flatMap((word) => [word.start, word.end]),
          segment.end,
        ])
        assert.deepEqual(
          times,
          times.toSorted((a, b) => a - b),
        )
      },
    ),
  )
})
