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

test('a written report has its introduction, and the names of people without quotation marks around its sentences', () => {
  const markdown = renderMarkdown({ ...one, method: 'generative' })
  assert.match(markdown, /\n\nFirst\.\n\nSecond\.\n\n## Shade/)
  assert.match(markdown, /^They want trees\. \\\[\[Frau Özdemir, 0:42\]/m)
})

test('a written report has its paragraphs before the quotations', () => {
  const markdown = renderMarkdown({ ...one, method: 'generative' })
  assert.match(markdown, /^They want trees\..*^> “More trees\.”/ms)
})

test('a paragraph that a member wrote at the beginning of an extract stays before the quotations', () => {
  const [theme] = one.sections
  assert.ok(theme)
  const [said, ...others] = theme.paragraphs
  assert.ok(said && 'text' in said)
  const corrected = { ...said, text: 'They want more trees.', own: true as const }
  const written = { text: 'We will plant ten.', sources: [], own: true as const }
  const paragraphs = [written, corrected, written, ...others]
  const markdown = renderMarkdown({ ...one, sections: [{ ...theme, paragraphs }] })
  assert.match(
    markdown,
    /^We will plant ten\.\n\n> “More trees\.”.*^They want more trees\..*\n\nWe will plant ten\.\n/ms,
  )
})

test('two people with one name are told apart by their numbers', () => {
  const [first] = one.conversations
  assert.ok(first)
  const namesake = { ...first, id: sourceOf(2, 0).conversation_id }
  const sections = [
    {
      heading: 'Shade',
      paragraphs: [{ text: 'They want trees.', sources: [sourceOf(1, 42), sourceOf(2, 7)] }],
      quotations: [],
    },
  ]
  const markdown = renderMarkdown({ ...one, conversations: [first, namesake], sections })
  assert.match(markdown, /\[Frau Özdemir \(1\), 0:42\].*\[Frau Özdemir \(2\), 0:07\]/)
})

test('a published report has neither times nor a list of numbers and dates', () => {
  const hidden = <T extends { url: string | null }>(given: T): T => ({ ...given, url: null })
  const published = {
    ...one,
    sections: one.sections.map((section) => ({
      ...section,
      paragraphs: [{ text: 'They want trees.', sources: [hidden(sourceOf(1, 42))] }],
      quotations: [{ text: 'More trees.', source: hidden(sourceOf(1, 42)) }],
    })),
    conversations: one.conversations.map((given) => ({ ...hidden(given), title: null, participant: null })),
  }
  const markdown = renderMarkdown(published)
  assert.match(markdown, /“They want trees.” \\\[Participant 1\\\]/)
  assert.match(markdown, /— Participant 1$/m)
  assert.doesNotMatch(markdown, /0:42|## Conversations|links to the place/)
})

test('renders the whole report', () => {
  const url = one.conversations[0]?.url
  assert.equal(
    renderMarkdown(one),
    `# Trees

Listening  
1 person · Recorded October 1, 2026 · Created on March 5, 2026

- Shade: 1 of 1 person

*Automatic extract: a program picked the sentences below from the transcripts and did not rewrite them. No one has reviewed the selection. Each sentence links to the place where it was said.*

## Shade

*1 of 1 person*

> “More trees.”
>
> — [Frau Özdemir, 0:42](<${url}#t=42>)

> *\\[Removed: the conversation was withdrawn.\\]*

“They want trees.” \\[[Frau Özdemir, 0:42](<${url}#t=42>)\\]

*\\[Removed: the conversation was withdrawn.\\]*

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
