import fc, { anyText } from '../../../../test/support/properties.ts'
import type { TranscriptPiece } from '../load-transcript.ts'

/** Markup of some format, terminal or player. */
const TOKENS = [
  ['-->', '00:00:01.000 --> 00:00:02.000', '00:00:01,000 --> 00:00:02,000', 'WEBVTT', 'NOTE', 'STYLE'],
  ['::cue{}', '<v Anna>', '<c.red>', '</b>', '<00:00:01.000>', '&lt;', '&amp;', '{\\an8}', '\\N', '1', '2\n'],
  ['\n\n', '\r\n\r\n', '\r', '\u2028', '\u2029', '\u0085', '\u0000', '\u001b[31m', '\u202e', '\u2066'],
  ['\u2060', '\ud800', '\ufeff', ' ', '\t', '# ', '[a](javascript:x)', '![a](b)', '`', '**', '_', '|'],
  ['\\', '<script>', 'https://a.example', 'www.a.example', '=1+1', '@a'],
].flat()

export const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...TOKENS), anyText(12)), { maxLength: 8 })
  .map((parts) => parts.join(''))

const time = fc.oneof(
  fc.integer({ min: -5_000, max: 20_000_000 }),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, 0.4, 1e300),
)

const id = fc.constant('0.0')

const anyPiece: fc.Arbitrary<TranscriptPiece> = fc.oneof(
  fc.record({ id, start_ms: time, end_ms: time, text: hostileText }),
  fc.record({ gap: fc.constant(true as const), start_ms: time, end_ms: time, reason: hostileText }),
  fc.record({ id, written: fc.constant(true as const), at_ms: time, text: hostileText }),
)

export const anySource = fc.record({
  title: hostileText,
  participant: fc.option(hostileText),
  language: fc.option(fc.constantFrom('en', 'ar', 'de')),
  started_at: fc.constant('2026-03-01T09:30:00.000Z'),
  pieces: fc.array(anyPiece, { maxLength: 12 }),
})
