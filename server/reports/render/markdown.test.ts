import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/support/properties.ts'
import { escaped, renderMarkdown } from './markdown.ts'
import { plain } from './plain-text.ts'
import { sampleReport, sourceOf } from './testing/sample.ts'

const one = sampleReport({
  language: 'en',
  title: 'Trees',
  project_name: 'Listening',
  introduction: 'First.\nSecond.',
  created_at: '2026-03-05T10:00:00.000Z',
  conversation_count: 1,
  conversations: sampleReport().conversations.slice(0, 1),
  sections: [
    {
      heading: 'Shade',
      paragraphs: [
        { text: 'They want trees.', sources: [sourceOf(1, 42), sourceOf(1, 42)] },
        { erased: true },
      ],
      quotations: [{ text: 'More trees.', source: sourceOf(1, 42) }, { erased: true }],
    },
  ],
})

test('gives statements without a theme a standard heading', () => {
  const [theme] = one.sections
  assert.ok(theme)
  for (const heading of ['', null]) {
    const rest = { ...theme, heading }
    assert.match(renderMarkdown({ ...one, sections: [rest] }), /^## What was said$/m)
    assert.match(renderMarkdown({ ...one, sections: [theme, rest] }), /^## Shade$.*^## Also said$/ms)
  }
})

test('renders the whole report', () => {
  const url = one.conversations[0]?.url
  assert.equal(
    renderMarkdown(one),
    `# Trees

Listening  
1 person · Created on March 5, 2026

- Shade: 1 of 1 person

*Automatic extract: the sentences below were picked from the transcripts by a program and not rewritten. Each leads to the place where it was said.*

First.

Second.

## Shade

*1 of 1 person*

They want trees. \\[[1, 0:42](<${url}#t=42>)\\]

*\\[Removed: the conversation was withdrawn.\\]*

> “More trees.”
>
> — [Frau Özdemir, 0:42](<${url}#t=42>)

> *\\[Removed: the conversation was withdrawn.\\]*

## Conversations

1. [Frau Özdemir](<${url}>), Quartierstreff Nord, October 1, 2026
`,
  )
})

const signs: [given: string, written: string][] = [
  ['# no heading', '\\# no heading'],
  ['- no item', '\\- no item'],
  ['+ no item', '\\+ no item'],
  ['1. no item', '1\\. no item'],
  ['12) no item', '12\\) no item'],
  ['> no quotation', '\\> no quotation'],
  ['---', '\\---'],
  ['===', '\\=\\=\\='],
  ['*a* _b_ `c` ~~d~~', '\\*a\\* \\_b\\_ \\`c\\` \\~\\~d\\~\\~'],
  ['![x](javascript:y)', '\\!\\[x\\](javascript\\:y)'],
  ['<img src=x>', '\\<img src\\=x\\>'],
  ['&lt; &copy;', '\\&lt; \\&copy;'],
  ['a | b', 'a \\| b'],
  ['a\\', 'a\\\\'],
  ['see https://x.example and www.x.example', 'see https\\://x.example and www\\.x.example'],
  [':+1: at 12:30', '\\:+1: at 12:30'],
  ['$x^2$', '\\$x\\^2\\$'],
  ['ada@x.example', 'ada\\@x.example'],
  ['Well - it costs 3.50, or (more) + tax!', 'Well - it costs 3.50, or (more) + tax!'],
]
for (const [given, written] of signs)
  test(`escapes ${given} as ${written}`, () => assert.equal(escaped(given), written))

/** The text that CommonMark shows for a line whose only markup is backslash escapes. */
const unescaped = (line: string): string => line.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')

/** Characters of markup that no backslash escapes. */
const active = (line: string): string[] =>
  line.replaceAll(/\\[!-/:-@[-`{-~]/g, '').match(/[\\`*_[\]{}<>&~|$^=#@]/g) ?? []

const units = ['www.', '://', '&#60;', '```', '\n\n# ']
const characters = '\\`*_{}[]()<>#+-.!|~&:"\'$^=@%/ \n\t1aw\u202e'.split('')
const markup = fc.string({ unit: fc.constantFrom(...characters, ...units), maxLength: 60 })

test('shows every character of a text and interprets none as markup', () => {
  fc.assert(
    fc.property(markup, (text) => {
      const line = escaped(plain(text))
      assert.deepEqual(active(line), [])
      assert.equal(unescaped(line), plain(text))
      assert.doesNotMatch(line, /^(?:[-+:!%]|\d+[.)])|\n|https?:\/\/|(?<!\\)www\./i)
    }),
    { numRuns: 2000 },
  )
})

test('keeps its structure with any user text', () => {
  const shape = (document: typeof one): string[] =>
    renderMarkdown(document)
      .split('\n')
      .map((line) => /^(?:#+ |> |>$|\d+\. |)/.exec(line)?.[0] ?? '')
  const wanted = shape(one)
  fc.assert(
    fc.property(markup, (text) => {
      const said = `x${text.replaceAll(/[\r\n]/g, ' ')}`
      const [section] = one.sections
      const document = {
        ...one,
        title: said,
        project_name: said,
        conversations: one.conversations.map((other) => ({ ...other, title: said, participant: said })),
        sections: [
          {
            heading: said,
            paragraphs: [{ text: said, sources: [sourceOf(1, 42)] }, ...(section?.paragraphs.slice(1) ?? [])],
            quotations: [{ text: said, source: sourceOf(1, 42) }, ...(section?.quotations.slice(1) ?? [])],
          },
        ],
      }
      assert.deepEqual(shape(document), wanted)
    }),
  )
})

test('keeps a URL with Markdown characters in one link', () => {
  const url = 'https://a.example/(x)?a=1&copy;=2\\'
  const [conversation] = one.conversations
  const document = { ...one, conversations: conversation ? [{ ...conversation, url }] : [] }
  assert.match(renderMarkdown(document), /\(<https:\/\/a\.example\/\(x\)\?a=1&amp;copy;=2%5C>\)/)
})
