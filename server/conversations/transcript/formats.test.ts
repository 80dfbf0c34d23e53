import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/support/properties.ts'
import { TRANSCRIPT_FORMATS, transcriptAs } from './formats.ts'
import { anySource } from './testing/hostile-text.ts'
import { timeLine } from './time-line.ts'

const line = timeLine({
  title: '=HYPERLINK("x")',
  participant: '@anna',
  language: 'en',
  started_at: '2026-03-01T09:30:00.000Z',
  pieces: [
    { id: '0.0', start_ms: 0, end_ms: 1_000, text: '=1+1' },
    { gap: true, start_ms: 1_000, end_ms: 61_000, reason: 'not readable' },
    { id: 'w1', written: true, at_ms: 3_661_000, text: '-2' },
  ],
})

test('txt shows each text unchanged after its time', () => {
  assert.equal(
    transcriptAs('txt', line).body,
    `Title: =HYPERLINK("x")
Participant: @anna
Language: en
Started: 2026-03-01T09:30:00.000Z

[00:00:00] =1+1
[00:00:01] [audio missing: not readable]
[01:01:01] [written] -2
`,
  )
})

test('txt marks unclear segments once, also those without words', () => {
  const said = (text: string) => ({
    id: '0.0',
    start_ms: 0,
    end_ms: 1_000,
    text,
    confidence: 0.3,
    unclear: true,
  })
  const source = { title: '', participant: null, language: null, started_at: '2026-03-01T09:30:00.000Z' }
  for (const [text, shown] of [
    ['[unclear]', '[unclear]'],
    ['Trees', '[unclear] Trees'],
  ] as const)
    assert.equal(
      transcriptAs('txt', timeLine({ ...source, pieces: [said(text)] }))
        .body.split('\n')
        .at(-2),
      `[00:00:00] ${shown}`,
    )
})

test('txt has no line that a spreadsheet takes for a formula', () => {
  fc.assert(
    fc.property(anySource, (source) => {
      const { body } = transcriptAs('txt', timeLine(source))
      for (const text of body.split(/\r\n|[\r\n\v\f\u0085\u2028\u2029]/))
        assert.match(text, /^$|^\[\d|^[TPLS]/)
    }),
  )
})

test('json contains the whole time line', () => {
  fc.assert(
    fc.property(anySource, (source) => {
      const line = timeLine(source)
      assert.deepEqual(JSON.parse(transcriptAs('json', line).body), line)
    }),
  )
})

test('every format has a content type in UTF-8', () => {
  assert.deepEqual(
    TRANSCRIPT_FORMATS.map((format) => transcriptAs(format, line).contentType.split(';')[0]),
    ['text/plain', 'text/markdown', 'text/vtt', 'application/x-subrip', 'application/json'],
  )
  for (const format of TRANSCRIPT_FORMATS) {
    assert.match(transcriptAs(format, line).contentType, /; charset=utf-8$/)
  }
})
