import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/support/properties.ts'
import { parseTargetUrl } from './target-url.ts'

const HTTPS = { allowHttp: false }
const BOTH = { allowHttp: true }

test('accepts a valid URL and normalizes it', () => {
  const accepted: [string, string][] = [
    ['https://example.com', 'https://example.com/'],
    ['HTTPS://EXAMPLE.com:443/a?b=c', 'https://example.com/a?b=c'],
    ['https://example.com:8443/ü', 'https://example.com:8443/%C3%BC'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://example.com/a@b?c=@', 'https://example.com/a@b?c=@'],
    ['https://[2606:4700::1111]/', 'https://[2606:4700::1111]/'],
    ['https://example.com:65535/', 'https://example.com:65535/'],
    ['https://xn--bcher-kva.example/%00', 'https://xn--bcher-kva.example/%00'],
  ]
  for (const [text, href] of accepted) {
    const url = parseTargetUrl(text, HTTPS)
    assert.ok(url instanceof URL, text)
    assert.equal(url.href, href)
  }
})

test('allows http: only with the setting', () => {
  assert.ok(parseTargetUrl('http://example.com/', BOTH) instanceof URL)
  assert.deepEqual(parseTargetUrl('http://example.com/', HTTPS), { message: 'must begin with https://' })
})

test('refuses invalid and ambiguous URLs without repeating them in the message', () => {
  const plain = `
    example.com /hook //example.com/ https:// https:/// https://?x ftp://example.com/ file:///etc/passwd
    javascript:alert(1) data:text/plain,hello ws://example.com/ blob:https://example.com/1
    https://user@example.com/ https://user:password@example.com/ https://:password@example.com/
    https://@example.com/ https://:@example.com/ https:@example.com/ https://example.com@evil.example/
    https://example.com/# https://example.com/#fragment https://example.com#@evil.example/
    https://example.com:0/ https://example.com:00/ https://example.com:65536/ https://example.com:-1/
    https://example.com:a/ https://exa%20mple.com/ https://exa%00mple.com/ https://256.256.256.256/
    https://1.2.3.4.5/ https://[::1/ https://[fe80::1%25eth0]/ https://[1.2.3.4]/ wss://example.com/
    gopher://example.com/
  `
  const odd = [' ', 'a b', '\r\nX: y', '\u0000', '\u007f', '\u0085', '\u00a0', '\u2028', '\u3000'].map(
    (end) => `https://example.com/${end}`,
  )
  const refused = [
    ...plain.trim().split(/\s+/),
    ...odd,
    '',
    ' https://example.com/',
    'https://exa\tmple.com/',
    'https://exa\nmple.com/',
    '\ufeffhttps://example.com/',
    'https:\\\\example.com\\',
    'https://example.com\\@evil.example/',
    'https://exa mple.com/',
    `https://${'a'.repeat(254)}/`,
    `https://example.com/${'a'.repeat(2_048)}`,
    `https://example.com/${'ü'.repeat(1_000)}`,
  ]
  for (const text of refused) {
    const result = parseTargetUrl(text, HTTPS)
    assert.ok(!(result instanceof URL), text)
    assert.match(result.message, /^must /)
    assert.ok(!result.message.includes('example.com') && !result.message.includes('evil'))
  }
})

test('accepts a URL of 2,048 characters and none longer', () => {
  const longest = `https://example.com/${'a'.repeat(2_048 - 'https://example.com/'.length)}`
  assert.ok(parseTargetUrl(longest, HTTPS) instanceof URL)
  assert.ok(!(parseTargetUrl(`${longest}a`, HTTPS) instanceof URL))
})

test('accepts the stored form of every URL that it accepts', () => {
  const pieces = fc.constantFrom(...'/ : @ ? # . % %2f [ ] ::1 0x7f 8080 a.example ü 。'.split(' '))
  const text = fc.array(fc.oneof(pieces, fc.string({ maxLength: 4 })), { maxLength: 8 })
  let accepted = 0
  fc.assert(
    fc.property(
      fc.constantFrom('https://', 'http:', 'https:///', 'HTTPS://a.example'),
      text,
      (begin, rest) => {
        const first = parseTargetUrl(begin + rest.join(''), BOTH)
        if (!(first instanceof URL)) return
        accepted++
        const second = parseTargetUrl(first.href, BOTH)
        assert.ok(second instanceof URL)
        assert.equal(second.href, first.href)
      },
    ),
    { numRuns: 3_000 },
  )
  assert.ok(accepted > 300)
})
