import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/support/properties.ts'
import { escapeMarkdown, toMarkdown } from './markdown.ts'
import { anySource, hostileText } from './testing/hostile-text.ts'
import { shownText, timeLine } from './time-line.ts'

const escapes: [what: string, said: string, written: string][] = [
  ['a heading', '# loud #', '\\# loud \\#'],
  ['emphasis', '*a* __b__', '\\*a\\* \\_\\_b\\_\\_'],
  ['a link', '[a](javascript:x)', '\\[a\\](javascript:x)'],
  ['an image', '![a](//b)', '!\\[a\\](//b)'],
  ['html', '<img src=x onerror=y>', '\\<img src=x onerror=y\\>'],
  ['a comment', '<!-- a -->', '\\<!-- a --\\>'],
  ['an autolink', '<https://a.example>', '\\<https\\://a.example\\>'],
  ['a bare link', 'HTTPS://a.example WWW.b.example', 'HTTPS\\://a.example WWW\\.b.example'],
  ['a mail address', 'a@b.example', 'a\\@b.example'],
  ['code', '`rm` ``a``', '\\`rm\\` \\`\\`a\\`\\`'],
  ['a table', '| a | b |', '\\| a \\| b \\|'],
  ['an entity', '&lt; &#35;', '\\&lt; \\&\\#35;'],
  ['an escape', '\\* c:\\', '\\\\\\* c:\\\\'],
  ['strikethrough', '~~a~~', '\\~\\~a\\~\\~'],
  ['a formula', '$x$', '\\$x\\$'],
  ['a template', '{{ a }}', '\\{\\{ a \\}\\}'],
  ['plain speech', "Well, 1. it's (almost) 10:30 - fine!", "Well, 1. it's (almost) 10:30 - fine!"],
]

for (const [what, said, written] of escapes) {
  test(`${what} renders as the original text`, () => {
    assert.equal(escapeMarkdown(said), written)
  })
}

const unescaped = (text: string) => text.replace(/\\([!-/:-@[-`{-~])/g, '$1')

test('unescaping by the rules of CommonMark restores the text', () => {
  fc.assert(fc.property(hostileText, (text) => assert.equal(unescaped(escapeMarkdown(text)), text)))
})

test('escapes every special character', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const bare = escapeMarkdown(text).replace(/\\[\\`*_{}[\]<>#|~&$@:.]/g, '')
      assert.doesNotMatch(bare, /[\\`*_{}[\]<>#|~&$@]|:\/\/|www\./i)
    }),
  )
})

test('every entry is a paragraph that starts with its time', () => {
  fc.assert(
    fc.property(anySource, (source) => {
      const line = timeLine(source)
      const [title, facts, ...paragraphs] = toMarkdown(line).trimEnd().split('\n\n')
      assert.equal(unescaped(title ?? ''), `# ${line.title}`)
      assert.match(facts ?? '', /^(- (Participant|Language|Started): .+\n?)+$/)
      const texts = paragraphs.map(
        (paragraph) => /^\*\*\d{2,}:\d\d:\d\d\*\* (.+)$/.exec(paragraph)?.[1] ?? '',
      )
      assert.deepEqual(
        texts.map(unescaped),
        line.entries.map((entry) => (entry.kind === 'missing' ? `*${shownText(entry)}*` : shownText(entry))),
      )
    }),
  )
})
