import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from '../../../test/support/properties.ts'
import { renderHtml } from './html.ts'
import { HTML_POLICY } from './html-style.ts'
import { hrefOf, plain } from './plain-text.ts'
import type { DocumentSection, ReportDocument, Source } from './report-document.ts'
import { publishedReport, sampleReport, sourceOf } from './testing/sample.ts'

interface Tag {
  name: string
  attributes: Record<string, string>
}

const decoded = (text: string): string =>
  text.replaceAll(/&(?:(lt|gt|amp|quot)|#(\d+));/g, (_, name: string | undefined, code: string) =>
    name ? ({ lt: '<', gt: '>', amp: '&', quot: '"' }[name] ?? '') : String.fromCodePoint(Number(code)),
  )

/** The tokenizer of a strict reader: throws where a browser would have to guess. */
function tokens(page: string): { tags: Tag[]; text: string; style: string } {
  const tags: Tag[] = []
  let [text, style] = ['', '']
  const pattern = /<style>([^<]*)<\/style>|<(\/?[!a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>|([^<>]+)/y
  while (pattern.lastIndex < page.length) {
    const at = pattern.lastIndex
    const found = pattern.exec(page)
    if (!found) throw new Error(`unreadable: ${page.slice(at, at + 80)}`)
    if (found[1] !== undefined) style += found[1]
    else if (found[2] !== undefined) tags.push({ name: found[2], attributes: attributesOf(found[3] ?? '') })
    else text += decoded(found[4] ?? '')
  }
  return { tags, text, style }
}

const attributesOf = (source: string): Record<string, string> =>
  Object.fromEntries(
    [...source.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [
      name,
      decoded(value),
    ]),
  )

const named = (page: string, name: string): Tag[] => tokens(page).tags.filter((tag) => tag.name === name)

test('links the themes to the anchor of every heading', () => {
  const { tags } = tokens(renderHtml(sampleReport()))
  const ids = tags.flatMap(({ attributes }) => attributes['id'] ?? [])
  assert.equal(new Set(ids).size, ids.length)
  const anchors = tags
    .flatMap(({ attributes }) => attributes['href'] ?? [])
    .filter((href) => href.startsWith('#'))
  assert.deepEqual(anchors, [
    ...sampleReport().sections.map((_, at) => `#section-${at + 1}`),
    '#conversations',
  ])
  for (const anchor of anchors) assert.ok(ids.includes(anchor.slice(1)), anchor)
  assert.equal(tags.filter(({ name }) => name === 'h1').length, 1)
})

test('shows how many people speak about each theme, as counted by the engine or from the sources', () => {
  const report = sampleReport({ language: 'en' })
  const ids = report.conversations.map(({ id }) => id)
  const [first, second, ...others] = report.sections
  assert.ok(first && second)
  const voices = { conversations: ids.slice(0, 5), for: ids.slice(0, 3), against: ids.slice(4, 5) }
  const page = renderHtml({ ...report, sections: [{ ...first, voices }, second, ...others] })
  assert.deepEqual(
    named(page, 'meter')
      .slice(0, 2)
      .map(({ attributes: { value, max } }) => [value, max]),
    [
      ['5', '7'],
      ['6', '7'],
    ],
  )
  assert.equal(tokens(page).text.split('5 of 7 people · 3 in favour · 1 against').length, 2)
  assert.match(tokens(page).text, /7 people\u00a0· Recorded .*\u00a0· Created on/)
})

test('names the person of a quotation or numbers the participant, and never repeats the title of the conversation', () => {
  const { text } = tokens(renderHtml(sampleReport({ language: 'en' })))
  const attributions = [...text.matchAll(/^— (.*)$/gm)].map(([, attribution]) => attribution)
  assert.equal(attributions.length, 30)
  assert.ok(attributions.some((one) => /^Participant 3, \d/.test(one ?? '')))
  for (const attribution of attributions)
    assert.doesNotMatch(attribution ?? '', /Quartierstreff|Marktplatz|Library/)
})

test('links sources of a published report to quotations within it', () => {
  const report = publishedReport()
  const page = renderHtml(report)
  const { tags } = tokens(page)
  const ids = new Set(tags.flatMap(({ attributes }) => attributes['id'] ?? []))
  const hrefs = tags.flatMap(({ attributes }) => attributes['href'] ?? [])
  assert.ok(hrefs.filter((href) => href.startsWith('#source-')).length > 10)
  assert.match(tokens(page).text, /Quellen\n+„Said here.“\n– Frau Özdemir\n/)
  for (const href of hrefs) assert.ok(ids.has(href.slice(1)), href)
  for (const { id } of report.conversations) assert.ok(!page.includes(id))
})

test('counts the people who speak about no theme, and those quoted beside them', () => {
  const report = sampleReport({ language: 'en' })
  const ids = report.conversations.map(({ id }) => id)
  const [theme] = report.sections
  assert.ok(theme)
  const said = { text: 'Nothing else.', sources: [sourceOf(1, 3)] }
  const voices = { conversations: ids.slice(1, 4), for: [], against: [] }
  const rest = { heading: '', paragraphs: [said], quotations: [], voices }
  const page = renderHtml({ ...report, sections: [theme, rest] })
  assert.deepEqual(named(page, 'meter').at(-1)?.attributes['value'], '4')
  assert.match(tokens(page).text, /Also said\n+4 of 7 people\n/)
  assert.doesNotMatch(tokens(renderHtml({ ...report, sections: [rest] })).text, /4 of 7 people/)
})

/** Two texts by one person have the same place: no second. */
const written = (text?: string): Source => ({
  ...sourceOf(1, null),
  url: null,
  ...(text !== undefined && { text }),
})

const publishedPage = (
  method: ReportDocument['method'],
  section: Pick<DocumentSection, 'paragraphs' | 'quotations'>,
) => {
  const report = sampleReport({ language: 'en' })
  const conversations = report.conversations.map((one) => ({
    ...one,
    url: null,
    title: null,
    participant: null,
  }))
  return renderHtml({ ...report, method, conversations, sections: [{ heading: 'Benches', ...section }] })
}

test('a selected sentence of a published report does not lead to another sentence of that person', () => {
  const page = publishedPage('extractive', {
    paragraphs: [{ text: 'The benches are gone.', sources: [written()] }],
    quotations: [{ text: 'We need ten of them.', source: written() }],
  })
  assert.deepEqual(
    named(page, 'a').map(({ attributes }) => attributes['href']),
    ['#section-1'],
  )
})

test('each claim of a published report leads to the text that it rests on', () => {
  const page = publishedPage('generative', {
    paragraphs: [
      { text: 'One person misses the benches.', sources: [written('The benches are gone. I miss them.')] },
      { text: 'The same person asks for a fountain.', sources: [written('A fountain would be nice.')] },
      { text: 'And for trees.', sources: [written('Plant trees, please.')] },
    ],
    quotations: [{ text: 'The benches are gone.', source: written() }],
  })
  const { tags, text } = tokens(page)
  assert.deepEqual(
    named(page, 'a').map(({ attributes }) => attributes['href']),
    ['#section-1', '#quotation-1', '#source-1', '#source-2'],
  )
  assert.deepEqual(
    tags.filter(({ name }) => name === 'figure').map(({ attributes }) => attributes['id']),
    ['quotation-1', 'source-1', 'source-2'],
  )
  assert.match(text, /Sources\n+“A fountain would be nice.”\n— Participant 1\n+“Plant trees, please.”/)
})

test('closes every element in order', () => {
  const open: string[] = []
  for (const { name } of tokens(renderHtml(sampleReport())).tags) {
    if (['!doctype', 'meta'].includes(name)) continue
    if (name.startsWith('/')) assert.equal(open.pop(), name.slice(1))
    else open.push(name)
  }
  assert.deepEqual(open, [])
})

test('an extract quotes people before its other sentences, a written report after its paragraphs', () => {
  const order = (method: ReportDocument['method']) =>
    tokens(
      renderHtml(sampleReport({ method, language: 'en', sections: sampleReport().sections.slice(0, 1) })),
    )
      .tags.filter(({ name, attributes }) => name === 'figure' || (name === 'p' && !attributes['class']))
      .map(({ name }) => name)
  const [quotations, paragraphs] = [Array(5).fill('figure'), Array(3).fill('p')]
  assert.deepEqual(order('extractive'), [...quotations, ...paragraphs])
  assert.deepEqual(order('generative'), [...paragraphs, ...quotations])
})

test('links every quotation to its second in the conversation', () => {
  const { sections } = sampleReport()
  const wanted = sections.flatMap(({ quotations }) =>
    quotations.flatMap((one) => ('erased' in one ? [] : hrefOf(one.source))),
  )
  const page = renderHtml(sampleReport())
  assert.deepEqual(
    named(page, 'blockquote').map(({ attributes }) => attributes['cite']),
    wanted,
  )
  const hrefs = named(page, 'a').map(({ attributes }) => attributes['href'])
  for (const href of wanted) assert.ok(hrefs.includes(href ?? ''))
})

test('has a content security policy that allows only its style sheet, and needs nothing else', () => {
  const page = renderHtml(sampleReport())
  const { tags, style } = tokens(page)
  const hash = createHash('sha256').update(style).digest('base64')
  assert.equal(
    HTML_POLICY,
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
  )
  assert.ok(tags.some(({ attributes }) => attributes['content'] === HTML_POLICY))
  for (const { name, attributes } of tags) {
    assert.ok(!['script', 'img', 'iframe', 'link', 'form', 'svg', 'object', 'base'].includes(name), name)
    for (const attribute of Object.keys(attributes))
      assert.ok(attribute !== 'style' && !attribute.startsWith('on'))
  }
  assert.doesNotMatch(style, /url\(|@import/)
})

const languages: [language: string, lang: string, dir: string][] = [
  ['de', 'de', 'ltr'],
  ['ar-EG', 'ar-EG', 'rtl'],
  ['" onload="x', 'und', 'ltr'],
]
for (const [language, lang, dir] of languages) {
  test(`sets lang ${lang} and dir ${dir} for a report in ${language}`, () =>
    assert.deepEqual(named(renderHtml(sampleReport({ language })), 'html'), [
      { name: 'html', attributes: { lang, dir } },
    ]))
}

test('marks English labels on a page of another language as English', () => {
  const page = renderHtml(sampleReport({ language: 'ar' }))
  const [notice] = named(page, 'p').filter(({ attributes }) => attributes['class'] === 'notice')
  assert.equal(notice?.attributes['lang'], 'en')
  assert.ok(!named(renderHtml(sampleReport()), 'p').some(({ attributes }) => 'lang' in attributes))
})

test('replaces withdrawn passages with a notice in the language of the report', () => {
  const { text } = tokens(renderHtml(sampleReport()))
  assert.equal(text.match(/\[Entfernt: Das Gespräch wurde zurückgezogen\.\]/g)?.length, 2)
})

const saying = (text: string, url: string): ReportDocument => {
  const source = { ...sourceOf(1, 1), url }
  return sampleReport({
    title: text,
    project_name: text,
    introduction: text,
    sections: [{ heading: text, paragraphs: [{ text, sources: [source] }], quotations: [{ text, source }] }],
    conversations: [
      { id: source.conversation_id, title: text, participant: text, started_at: '2026-01-01T00:00:00Z', url },
    ],
  })
}

const units = ['<script>', '</style>', '<!--', ']]>', '&lt;', '" onclick="', 'javascript:', '\u202e', '\0']
const markup = fc.string({ unit: fc.constantFrom(...'<>&"\'/=`!- \\;#x'.split(''), ...units), maxLength: 40 })

test('creates no element and no attribute from user text', () => {
  const shape = (page: string): unknown[] =>
    tokens(page).tags.map(({ name, attributes }) => [name, Object.keys(attributes)])
  const wanted = shape(renderHtml(saying('x', 'https://a.example/')))
  fc.assert(
    fc.property(markup, (said) => {
      const text = `x${said}`
      const page = renderHtml(saying(text, `https://a.example/?${text}`))
      assert.deepEqual(shape(page), wanted)
      assert.equal(tokens(page).text.split(plain(text)).length - 1 >= 8, true)
    }),
  )
})

test('links only to the web and within the page', () => {
  fc.assert(
    fc.property(markup, (url) => {
      for (const address of [url, `javascript:${url}`, ` data:${url}`, `https://a.example/${url}`])
        for (const { attributes } of named(renderHtml(saying('x', address)), 'a'))
          assert.match(attributes['href'] ?? '', /^(?:https?:\/\/|#)/)
    }),
  )
})
