import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/support/properties.ts'
import type { TranscriptPiece } from './load-transcript.ts'
import { anySource } from './testing/hostile-text.ts'
import { shownText, timeLine } from './time-line.ts'

const source = { title: 'Talk', participant: 'Anna', language: 'en', started_at: '2026-03-01T09:30:00.000Z' }
const entriesOf = (...pieces: TranscriptPiece[]) => timeLine({ ...source, pieces }).entries

test('entries are sorted, end after they start, and only text entries overlap others', () => {
  fc.assert(
    fc.property(anySource, (any) => {
      const { entries } = timeLine(any)
      for (const { start_ms, end_ms } of entries) {
        assert.ok(Number.isSafeInteger(start_ms) && Number.isSafeInteger(end_ms))
        assert.ok(start_ms >= 0 && end_ms > start_ms)
      }
      for (const [index, entry] of entries.entries()) {
        assert.ok(index === 0 || (entries[index - 1]?.start_ms ?? 0) <= entry.start_ms)
      }
      const spoken = entries.filter(({ kind }) => kind !== 'written')
      for (const [index, entry] of spoken.entries()) {
        assert.ok(index === 0 || (spoken[index - 1]?.end_ms ?? 0) <= entry.start_ms)
      }
    }),
  )
})

test('every text is one visible line without control and bidi characters', () => {
  fc.assert(
    fc.property(anySource, (any) => {
      const { title, entries } = timeLine(any)
      for (const text of [title, ...entries.map(shownText)]) {
        assert.match(text, /[^\s\p{Default_Ignorable_Code_Point}]/u)
        assert.doesNotMatch(
          text,
          /\p{Cc}|\p{Cs}|[\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|\s\s|^\s|\s$/u,
        )
      }
    }),
  )
})

test('keeps every gap and every text with a visible word', () => {
  fc.assert(
    fc.property(anySource, (any) => {
      const kinds = timeLine(any).entries.map(({ kind }) => kind)
      const gaps = any.pieces.filter((piece) => 'gap' in piece)
      assert.equal(kinds.filter((kind) => kind === 'missing').length, gaps.length)
      const words = any.pieces.filter((piece) => !('gap' in piece) && /\p{L}/u.test(piece.text))
      assert.ok(kinds.filter((kind) => kind !== 'missing').length >= words.length)
    }),
  )
})

test('shortens the earlier of two overlapping entries and keeps every start', () => {
  assert.deepEqual(
    entriesOf(
      { id: '0.0', start_ms: 0, end_ms: 9_000, text: 'a' },
      { id: '0.0', start_ms: 4_000, end_ms: 6_000, text: 'b' },
    ),
    [
      { kind: 'said', id: '0.0', start_ms: 0, end_ms: 4_000, text: 'a' },
      { kind: 'said', id: '0.0', start_ms: 4_000, end_ms: 6_000, text: 'b' },
    ],
  )
})

test('keeps the order of entries with the same start', () => {
  const entries = entriesOf(
    { id: '0.0', start_ms: 5, end_ms: 50, text: 'a' },
    { gap: true, start_ms: 5, end_ms: 60, reason: 'lost' },
    { id: '0.0', start_ms: 5, end_ms: 2, text: 'b' },
  )
  assert.deepEqual(
    entries.map(({ start_ms, end_ms }) => [start_ms, end_ms]),
    [
      [5, 6],
      [6, 7],
      [7, 8],
    ],
  )
  assert.deepEqual(entries.map(shownText), ['a', '[audio missing: lost]', 'b'])
})

test('makes one entry per paragraph of a text entry, which can overlap with speech', () => {
  const entries = entriesOf(
    { id: '0.0', start_ms: 0, end_ms: 9_000, text: 'said' },
    { id: 'w1', written: true, at_ms: 3_000, text: ' one\ntwo\r\n \r\nthree\u2029four ' },
  )
  assert.deepEqual(entries.map(shownText), ['said', '[written] one two', '[written] three', '[written] four'])
  assert.equal(entries[0]?.end_ms, 9_000)
})

test('replaces line breaks with spaces and removes control characters', () => {
  const text = 'a\u0085b\u2028c\r\nd\u00a0e\u0000f'
  assert.deepEqual(entriesOf({ id: '0.0', start_ms: 0, end_ms: 1, text }).map(shownText), ['a b c d ef'])
})

test('keeps marks and joiners that scripts and emoji need', () => {
  const text = 'می‌خواهم 👩‍👩‍👧 שלום\u200f!'
  assert.equal(entriesOf({ id: '0.0', start_ms: 0, end_ms: 1, text })[0]?.kind, 'said')
  assert.deepEqual(entriesOf({ id: '0.0', start_ms: 0, end_ms: 1, text }).map(shownText), [text])
})

test('has default texts for a missing title and a gap without reason', () => {
  assert.equal(timeLine({ ...source, title: '\u0000 \n', pieces: [] }).title, 'Conversation')
  assert.deepEqual(entriesOf({ gap: true, start_ms: 0, end_ms: 1, reason: ' ' }).map(shownText), [
    '[audio missing]',
  ])
})
