import assert from 'node:assert/strict'
import { validateHeaderValue } from 'node:http'
import { test } from 'node:test'
import fc from '../../../test/support/properties.ts'
import { hostileText } from '../../conversations/transcript/testing/hostile-text.ts'
import { contentDisposition, fileName } from './file-name.ts'

const names: [title: string, name: string][] = [
  ['Kick-off, week 3', 'Kick-off, week 3.txt'],
  ['Größe über alles', 'Größe über alles.txt'],
  ['../../etc/passwd', '-..-etc-passwd.txt'],
  ['C:\\boot.ini', 'C--boot.ini.txt'],
  ['.htaccess', 'htaccess.txt'],
  ['con', 'con-.txt'],
  ['NUL.tar', 'NUL-.tar.txt'],
  ['a"; filename="b.exe', 'a-; filename=-b.exe.txt'],
  ['invoice\u202etxt.exe', 'invoicetxt.exe.txt'],
  ['\u0000\n ', 'conversation.txt'],
  ['...', 'conversation.txt'],
  ['100% sure?', '100- sure-.txt'],
]

for (const [title, name] of names) {
  test(`names the file of ${JSON.stringify(title)} ${JSON.stringify(name)}`, () => {
    assert.equal(fileName({ title, untitled: 'conversation' }, 'txt'), name)
  })
}

/** The grammar of RFC 6266 with RFC 9110's quoted-string (without escapes) and RFC 8187's ext-value. */
const HEADER =
  /^attachment; filename="([\x20\x21\x23-\x5b\x5d-\x7e]+)"; filename\*=UTF-8''((?:[\w!#$&+.^`|~-]|%[0-9A-F]{2})+)$/

test('makes a valid header with the UTF-8 file name of any title', () => {
  fc.assert(
    fc.property(hostileText, (title) => {
      const header = contentDisposition('attachment', { title, untitled: 'conversation' }, 'vtt')
      validateHeaderValue('content-disposition', header)
      const found = HEADER.exec(header)
      assert.ok(found, header)
      assert.equal(decodeURIComponent(found[2] ?? ''), fileName({ title, untitled: 'conversation' }, 'vtt'))
      assert.match(found[1] ?? '', /[^-\s.].*\.vtt$/)
    }),
  )
})

test('makes a file name that is not a path, not hidden and not too long', () => {
  fc.assert(
    fc.property(
      fc.oneof(hostileText, fc.string({ unit: 'grapheme', minLength: 150, maxLength: 400 })),
      (title) => {
        const name = fileName({ title, untitled: 'conversation' }, 'json')
        assert.doesNotMatch(name, /[/\\<>:"|?*\p{Cc}\p{Cs}]|^[.\s]|[.\s]\.json$/u)
        assert.ok(Buffer.byteLength(name) <= 190)
      },
    ),
  )
})

test('cuts a long title between graphemes', () => {
  const name = fileName({ title: '👩‍👩‍👧'.repeat(30), untitled: 'x' }, 'md')
  assert.equal(name.replaceAll('👩‍👩‍👧', ''), '.md')
})

test('removes accents in the ASCII file name', () => {
  assert.equal(
    contentDisposition('inline', { title: 'Café “été”', untitled: 'conversation' }, 'md'),
    `inline; filename="Cafe -ete-.md"; filename*=UTF-8''Caf%C3%A9%20%E2%80%9C%C3%A9t%C3%A9%E2%80%9D.md`,
  )
  assert.match(
    contentDisposition('inline', { title: '会議', untitled: 'conversation' }, 'md'),
    /filename="conversation\.md"; filename\*=UTF-8''%E4/,
  )
})
