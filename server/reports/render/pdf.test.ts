import assert from 'node:assert/strict'
import { PassThrough, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { renderPdf } from './pdf.ts'
import { hrefOf } from './plain-text.ts'
import type { ReportDocument } from './report-document.ts'
import { type PdfFile, readPdf, squeeze } from './testing/read-pdf.ts'
import { publishedReport, sampleReport, sourceOf } from './testing/sample.ts'

async function bytesOf(document: ReportDocument): Promise<Buffer> {
  const target = new PassThrough()
  const [bytes] = await Promise.all([buffer(target), renderPdf(document, target)])
  return bytes
}

const read = async (document: ReportDocument): Promise<PdfFile> => readPdf(await bytesOf(document))

const sampleBytes = await bytesOf(sampleReport())
const sample = await readPdf(sampleBytes)

test('renders the same report to the same bytes', async () => {
  assert.deepEqual(await bytesOf(sampleReport()), sampleBytes)
})

test('shows its number and the number of pages on every page', () => {
  const { pages } = sample
  assert.ok(pages.length > 3)
  for (const [at, { texts }] of pages.entries())
    assert.deepEqual(
      texts.filter((text) => /^\d+ \/ \d+$/.test(text)),
      [`${at + 1} / ${pages.length}`],
    )
})

test('links every quotation, citation and conversation to its source', () => {
  const { sections, conversations } = sampleReport()
  const wanted = new Set([
    ...sections.flatMap(({ quotations }) =>
      quotations.flatMap((one) => ('erased' in one ? [] : hrefOf(one.source))),
    ),
    ...sections.flatMap(({ paragraphs }) =>
      paragraphs.flatMap((one) => ('erased' in one ? [] : one.sources.map(hrefOf))),
    ),
    ...conversations.map(({ url }) => url),
  ])
  const uris = sample.pages.flatMap(({ links }) => links.flatMap(({ uri }) => uri ?? []))
  assert.deepEqual(new Set(uris), wanted)
})

test('links sources of a published report to quotations within it', async () => {
  const { pages } = await read(publishedReport())
  const links = pages.flatMap((page) => page.links)
  assert.ok(links.length > 10)
  assert.deepEqual(
    links.filter(({ uri, page }) => uri === null && page === null),
    [],
  )
  assert.match(pages.map(({ text }) => text).join('\n'), /Quellen/)
})

test('links every entry of the table of contents to the page with its number and heading', () => {
  const { pages } = sample
  const [front] = pages
  const headings = [...sampleReport().sections.flatMap(({ heading }) => heading ?? []), 'Gespräche']
  const entries = front?.links.filter(({ page }) => page !== null) ?? []
  for (const heading of headings) {
    const links = entries.filter(({ contents }) => contents.startsWith(`${heading}, `))
    assert.ok(links.length > 0, heading)
    for (const { contents, page } of links) {
      assert.ok(contents.endsWith(`Seite ${Number(page) + 1} von ${pages.length}`), contents)
      assert.ok(squeeze(pages[Number(page)]?.text ?? '').includes(squeeze(heading)))
    }
  }
  const numbers = front?.texts.filter((text) => /^\d+$/.test(text))
  const firsts = headings.map((heading) => entries.find(({ contents }) => contents.startsWith(heading))?.page)
  assert.deepEqual(
    numbers,
    firsts.map((page) => String(Number(page) + 1)),
  )
})

test('shows on the first page what was left out and which model wrote the report', async () => {
  const left_out = { not_finished: 3, failed: 0, empty: 1, erased: 0, over_limit: 0 }
  const { pages } = await read(sampleReport({ left_out, method: 'generative', model: 'a-model' }))
  const front = squeeze(pages[0]?.text ?? '')
  for (const text of ['Nicht berücksichtigt: 3 noch nicht beendet, 1 ohne Worte', '· a-model'])
    assert.ok(front.includes(squeeze(text)), front)
})

test('does not claim to be an extract if the report is empty', async () => {
  const left_out = { not_finished: 3, failed: 0, empty: 1, erased: 0, over_limit: 0 }
  const { squeezed } = await read(
    sampleReport({ sections: [], conversations: [], conversation_count: 0, left_out }),
  )
  assert.ok(squeezed.includes('3nochnicht') && !squeezed.includes('AutomatischerAuszug'), squeezed)
})

test('shows the right page numbers in a table of contents of several pages', async () => {
  const [section] = sampleReport().sections
  const sections = Array.from({ length: 90 }, (_, at) => ({
    heading: `Heading ${at + 1}`,
    paragraphs: section?.paragraphs.slice(0, 1) ?? [],
    quotations: [],
  }))
  const { pages } = await read(sampleReport({ language: 'en', sections }))
  const entries = pages.flatMap(({ links }) => links.filter(({ page }) => page !== null))
  assert.equal(entries.length, 91)
  for (const { contents, page } of entries) {
    const [heading = '', place = ''] = contents.split(', ')
    assert.equal(place, `page ${Number(page) + 1} of ${pages.length}`)
    assert.ok(pages[Number(page)]?.texts.includes(heading), contents)
  }
})

test('has the findings on the first page: title, people, and themes with their counts', () => {
  const [first] = sample.pages
  for (const text of [
    'Was der Lindenplatz',
    '7 Personen',
    'Themen',
    'Der Pavillon',
    '6 von 7 Personen',
    'Niemand hat die Auswahl geprüft',
  ])
    assert.ok(squeeze(first?.text ?? '').includes(squeeze(text)), text)
})

test('has an outline of the headings', async () => {
  const outline = await sample.document.getOutline()
  const headings = sampleReport().sections.map(({ heading }) => heading)
  assert.deepEqual(
    outline.map(({ title }) => title),
    ['Themen', ...headings, 'Gespräche'],
  )
})

test('has a title, a language and tags for screen readers', async () => {
  const { info } = await sample.document.getMetadata()
  const { Title, Language } = info as Record<string, unknown>
  assert.deepEqual([Title, Language], ['Was der Lindenplatz werden kann', 'de'])
  // A Map, although its type says otherwise.
  const markInfo = (await sample.document.getMarkInfo()) as unknown as Map<string, boolean>
  assert.equal(markInfo.get('Marked'), true)
  const roles = Object.groupBy(
    sample.pages.flatMap((page) => page.roles),
    (role) => role,
  )
  assert.deepEqual([roles['H1']?.length, roles['H2']?.length, roles['BlockQuote']?.length], [1, 8, 30])
})

test('tags a paragraph on several pages as one paragraph', async () => {
  const paragraphs = [{ text: 'many words '.repeat(1500), sources: [] }]
  const sections = [{ heading: 'h', paragraphs, quotations: [] }]
  const bytes = await bytesOf(sampleReport({ introduction: '', sections, conversations: [] }))
  const { pages } = await readPdf(bytes)
  const [first, ...others] = pages.map(({ roles }) => roles)
  assert.ok(others.length > 1)
  assert.deepEqual(first, ['P', 'H1', 'P', 'H2', 'TOC', 'P', 'H2', 'P'])
  for (const roles of others) assert.deepEqual(roles, ['P'])
  assert.equal(bytes.toString('latin1').match(/^\/S \/P$/gm)?.length, 4)
})

test('replaces characters that the fonts do not have with a placeholder, never with a box', async () => {
  assert.ok(sample.pages.every(({ text }) => !text.includes('\0')))
  for (const text of [
    'toll [1 Zeichen: siehe HTML-Fassung] und [6 Zeichen: siehe HTML-Fassung] die',
    'Den Schriften dieser PDF-Datei fehlen einige Zeichen',
  ])
    assert.ok(sample.squeezed.includes(squeeze(text)), text)
  const complete = await read(sampleReport({ sections: [] }))
  assert.ok(!complete.squeezed.includes('DenSchriften'))
})

test('shows the notice about missing characters for the title too', async () => {
  const { pages } = await read(sampleReport({ language: 'en', title: '市民との対話', sections: [] }))
  assert.match(pages[0]?.text ?? '', /\[6 characters: see\sthe HTML version\]/)
  assert.match(pages[0]?.text ?? '', /The fonts of this PDF lack some characters/)
})

const hostile = `</x:xmpmeta> & ") >> endobj 1 0 obj << /S /JavaScript /JS (x) >> \\ ( \u202etxt`
test('escapes text that looks like PDF or XML', async () => {
  const [section] = sampleReport().sections
  const bytes = await bytesOf(
    sampleReport({
      title: hostile,
      project_name: hostile,
      sections: [{ heading: hostile, paragraphs: section?.paragraphs ?? [], quotations: [] }],
    }),
  )
  const pdf = await readPdf(bytes)
  const shown = hostile.replace('\u202e', '')
  const { info, metadata } = await pdf.document.getMetadata()
  assert.equal((info as Record<string, unknown>)['Title'], shown)
  assert.ok(squeeze(pdf.pages[0]?.text ?? '').includes(squeeze(shown)))
  assert.equal(await pdf.document.hasJSActions(), false)
  const objects = bytes.toString('latin1').replaceAll(/^stream\n.*?^endstream/gms, '')
  assert.doesNotMatch(objects.replaceAll(/\((?:\\.|[^\\)])*\)/gs, ''), /\/JavaScript|\/JS\b/)
  const xml: string = metadata?.getRaw() ?? ''
  assert.equal(xml.match(/<\/x:xmpmeta>/g)?.length, 1)
  assert.ok(xml.includes('&lt;/x:xmpmeta&gt; &amp; &quot;)'))
})

const unsafe = ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'https://a@b.example/', 'x']
for (const url of unsafe) {
  test(`does not link to ${url}`, async () => {
    const source = { ...sourceOf(1, 3), url }
    const sections = [
      { heading: 'h', paragraphs: [{ text: 'p', sources: [source] }], quotations: [{ text: 'q', source }] },
    ]
    const conversations = sampleReport().conversations.map((one) => ({ ...one, url }))
    const pdf = await read(sampleReport({ sections, conversations }))
    assert.deepEqual(
      pdf.pages.flatMap(({ links }) => links.flatMap(({ uri }) => uri ?? [])),
      [],
    )
    assert.match(pdf.pages.map(({ text }) => text).join(), /„q“/)
  })
}

for (const title of ['ما الساحة؟', 'אבג 12.50 דהו', 'سلم 18:00 عليه'])
  test(`lets PDF readers extract ${title} in logical order`, async () => {
    const pdf = await read(sampleReport({ language: 'ar', title, sections: [] }))
    assert.ok(pdf.squeezed.includes(squeeze(title)), pdf.squeezed)
  })

test('renders an empty report to one page', async () => {
  const texts = { title: '', project_name: '', introduction: ' ', language: '?' }
  const { pages } = await read(sampleReport({ ...texts, sections: [], conversations: [] }))
  assert.equal(pages.length, 1)
  assert.match(pages[0]?.text ?? '', /1 \/ 1/)
  assert.doesNotMatch(pages[0]?.text ?? '', /Contents/)
})

test('waits for a slow target after every page', async () => {
  const [section] = sampleReport().sections
  let [buffered, total] = [0, 0]
  const target = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _, done) {
      buffered = Math.max(buffered, target.writableLength)
      total += chunk.length
      setImmediate(done)
    },
  })
  await renderPdf(sampleReport({ sections: Array(60).fill(section) }), target)
  assert.ok(buffered < total / 4, `${buffered} of ${total} bytes were buffered`)
})

test('fails with the error of the target', async () => {
  const target = new Writable({ write: (_chunk, _encoding, done) => done(new Error('disk full')) })
  await assert.rejects(renderPdf(sampleReport(), target), /disk full/)
})
