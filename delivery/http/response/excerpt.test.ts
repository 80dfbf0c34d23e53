import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/support/properties.ts'
import { excerpt, safeHeaders } from './excerpt.ts'

test('an excerpt of any bytes is well-formed text without unsafe characters', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(200), (bytes, length) => {
      const cut = Buffer.from(bytes).subarray(0, length)
      const text = excerpt([cut], length >= bytes.length)
      assert.ok(text.isWellFormed())
      assert.doesNotMatch(text, /(?![\n\t])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u)
    }),
  )
})

test('never cuts a character in half', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(), (text, at) => {
      const bytes = Buffer.from(text)
      const cut = excerpt([bytes.subarray(0, at % bytes.length)], false)
      const whole = excerpt([bytes], true)
      assert.ok(whole.startsWith(cut))
    }),
  )
})

test('joins pieces before decoding', () => {
  const bytes = Buffer.from('aé\u{1F600}z')
  for (let i = 0; i < bytes.length; i++)
    assert.equal(excerpt([bytes.subarray(0, i), bytes.subarray(i)], true), 'aé\u{1F600}z')
})

test('escapes control and bidirectional characters', () => {
  assert.equal(
    excerpt([Buffer.from('<b>\0\x07\x1b\x7f\u0085\u2028\u202e\r\n\t</b>')], true),
    '<b>\\u0000\\u0007\\u001b\\u007f\\u0085\\u2028\\u202e\\u000d\n\t</b>',
  )
})

test('replaces invalid UTF-8 and accepts a byte order mark', () => {
  assert.equal(excerpt([Buffer.from([0x61, 0xff, 0xc0, 0x80, 0x62])], true), 'a���b')
  assert.equal(excerpt([Buffer.from('\ufeffa')], true).endsWith('a'), true)
})

test('keeps headers of the allow-list only', () => {
  const fields = { 'content-type': 'text/html\u0000', 'set-cookie': 'a', 'x-other': 'b' }
  assert.deepEqual(safeHeaders([...Object.entries(fields).flat(), 'via', 'x', 'via', 'y']), {
    'content-type': 'text/html',
    via: 'x, y',
  })
})
