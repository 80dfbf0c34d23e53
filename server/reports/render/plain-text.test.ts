import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc, { anyText } from '../../../test/support/properties.ts'
import { hrefOf, paragraphsOf, plain, webUrl } from './plain-text.ts'

const texts: [what: string, given: string, plain: string][] = [
  ['line breaks', ' a\r\n\tb\u2028c ', 'a b c'],
  ['controls', 'a\0b\u001b[31mc\u0085d\u007f', 'ab[31mc d'],
  ['an override', 'invoice\u202egnp.exe', 'invoicegnp.exe'],
  ['isolates and marks', '\u2067a\u2069\u200fb\u061c', 'ab'],
  ['invisible characters between spaces', 'a \u200b \ufeff b', 'a b'],
  ['half a surrogate pair', 'a\ud83d b', 'a\ufffd b'],
  ['joiners, which Persian needs', 'می\u200cخواهم', 'می\u200cخواهم'],
  ['joiners, which emoji need', '👩\u200d🌾', '👩\u200d🌾'],
  ['no-break spaces', 'a\u00a0b\u202fc', 'a\u00a0b\u202fc'],
  ['loose accents', 'e\u0301', 'é'],
]
for (const [what, given, shown] of texts)
  test(`makes plain text of ${what}`, () => assert.equal(plain(given), shown))

test('makes one line without control characters, and leaves plain text unchanged', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      const shown = plain(text)
      assert.doesNotMatch(shown, /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]| {2}|^ | $/u)
      assert.equal(plain(shown), shown)
      assert.ok(shown.isWellFormed())
    }),
  )
})

test('splits paragraphs at line breaks and drops empty ones', () =>
  assert.deepEqual(paragraphsOf('\n a \r\n\r\n b\u2029c\n \n'), ['a', 'b', 'c']))

const refused = [
  'javascript:alert(1)',
  ' JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>',
  'vbscript:x',
  'file:///etc/passwd',
  'ftp://example.com/',
  '//example.com/',
  '/relative',
  'https://user:secret@example.com/',
  'https://example.com@evil.example/',
  'https://',
  '',
]
for (const url of refused)
  test(`rejects the URL ${JSON.stringify(url)}`, () => assert.equal(webUrl(url), null))

test('writes URLs in ASCII, without characters that end an attribute or an autolink', () => {
  fc.assert(
    fc.property(anyText(), anyText(), (path, query) => {
      const href = webUrl(`https://example.com/${path}?${query}#${query}`)?.href ?? ''
      assert.match(href, /^[!-~]*$/)
      assert.doesNotMatch(href, /[<>"\s]/)
    }),
  )
})

const places: [url: string, start: number | null, href: string][] = [
  ['https://a.example/c/1', 42_999, 'https://a.example/c/1#t=42'],
  ['https://a.example/c/1?x=1', 0, 'https://a.example/c/1?x=1#t=0'],
  ['https://a.example/c/1', -5, 'https://a.example/c/1#t=0'],
  ['https://a.example/c/1', null, 'https://a.example/c/1'],
  ['https://a.example/c/1#own', 42_000, 'https://a.example/c/1#own'],
]
for (const [url, start_ms, href] of places)
  test(`links ${url} at ${start_ms} ms as ${href}`, () =>
    assert.equal(hrefOf({ conversation_id: 'c', start_ms, url }), href))
