import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/support/properties.ts'
import { toSrt, toVtt } from './captions.ts'
import { anySource } from './testing/hostile-text.ts'
import { shownText, timeLine } from './time-line.ts'

interface Cue {
  start: number
  end: number
  text: string
}

const TIMES = /(\d{2,}):(\d\d):(\d\d)[.,](\d{3}) --> (\d{2,}):(\d\d):(\d\d)[.,](\d{3})/

/** Like lenient players: any line with an arrow starts a cue, which ends at a blank line; other lines are ignored. */
function parseCues(file: string): Cue[] {
  const cues: Cue[] = []
  let open: Cue | null = null
  for (const line of file.split(/\r\n|[\r\n\u0085\u2028\u2029]/)) {
    if (line.includes('-->')) {
      const found = TIMES.exec(line)
      assert.ok(found, `no times: ${line}`)
      const [h1, m1, s1, f1, h2, m2, s2, f2] = found.slice(1).map(Number) as [...Ms, ...Ms]
      open = { start: inMs(h1, m1, s1, f1), end: inMs(h2, m2, s2, f2), text: '' }
      cues.push(open)
    } else if (line.trim() === '') open = null
    else if (open) open.text += (open.text && '\n') + line
  }
  return cues
}

type Ms = [hours: number, minutes: number, seconds: number, ms: number]
const inMs = (...[hours, minutes, seconds, ms]: Ms) => ((hours * 60 + minutes) * 60 + seconds) * 1_000 + ms

/** WebVTT cue text: tags are removed, then entities decoded. */
function vttShown(text: string): string {
  const entities: Record<string, string> = {
    lt: '<',
    gt: '>',
    amp: '&',
    lrm: '\u200e',
    rlm: '\u200f',
    nbsp: ' ',
  }
  return text
    .replace(/<[^>]*>?/g, '')
    .replace(/&(lt|gt|amp|lrm|rlm|nbsp);/g, (_, name: string) => entities[name] ?? '')
}

/** Removes everything that players take for SubRip markup, then zero-width characters. */
const srtShown = (text: string) =>
  text
    .replace(/<\/?[a-z][^>]*>/gi, '')
    .replace(/\{\\[^}]*\}/g, '')
    .replace(/\\[Nnh]/g, '\n')
    .replaceAll('\u2060', '')

for (const [name, write, shown] of [
  ['vtt', toVtt, vttShown],
  ['srt', toSrt, srtShown],
] as const) {
  test(`a player reads the same cues from ${name} for any text`, () => {
    fc.assert(
      fc.property(anySource, (source) => {
        const line = timeLine(source)
        const expected = line.entries.map((entry) => ({
          start: entry.start_ms,
          end: entry.end_ms,
          text: shownText(entry).replaceAll('\u2060', ''),
        }))
        const cues = parseCues(write(line)).map((cue) => ({
          ...cue,
          text: shown(cue.text).replaceAll('\u2060', ''),
        }))
        assert.deepEqual(cues, expected)
      }),
      { numRuns: 500 },
    )
  })
}

const line = timeLine({
  title: 'STYLE',
  participant: null,
  language: null,
  started_at: '2026-03-01T09:30:00.000Z',
  pieces: [
    { id: '0.0', start_ms: 0, end_ms: 1_500, text: 'NOTE a --> b\n\n<v X> & {\\an8}' },
    { gap: true, start_ms: 1_500, end_ms: 360_000_000, reason: 'not readable' },
  ],
})

test('vtt escapes tags, entities and arrows, and shows missing audio', () => {
  assert.equal(
    toVtt(line),
    `WEBVTT

1
00:00:00.000 --> 00:00:01.500
NOTE a --&gt; b &lt;v X&gt; &amp; {\\an8}

2
00:00:01.500 --> 100:00:00.000
[audio missing: not readable]
`,
  )
})

test('srt breaks tags and arrows with a word joiner', () => {
  const [, , text] = toSrt(line).split('\n')
  assert.equal(text, 'NOTE a --\u2060> b <\u2060v X> & {\u2060\\\u2060an8}')
})

test('an empty conversation gives a vtt without cues and an empty srt', () => {
  assert.equal(toVtt({ ...line, entries: [] }), 'WEBVTT\n')
  assert.equal(toSrt({ ...line, entries: [] }), '')
})
