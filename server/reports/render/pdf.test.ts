import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { renderPdf } from './pdf.ts'
import { hrefOf } from './plain-text.ts'
import type { ReportDocument } from './report-document.ts'
import { PdfFile } from './testing/read-pdf.ts'
import { sampleReport, sourceOf } from './testing/sample.ts'

async function bytesOf(document: ReportDocument): Promise<Buffer> {
  const chunks: Buffer[] = []
  const target = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk)
      done()
    },
  })
  await renderPdf(document, target)
  return Buffer.concat(chunks)
}

const read = async (document: ReportDocument): Promise<PdfFile> => new PdfFile(await bytesOf(document))
const squeezed = (text: string): string => text.replaceAll(/\s/g, '')

/** Of the elements right below the document. */
const rolesOf = (pdf: PdfFile): unknown[] =>
  pdf
    .list(pdf.root, 'StructTreeRoot', 'K')
    .flatMap((root) => pdf.list(root, 'K'))
    .map((element) => pdf.get(element, 'S'))

const sample = await read(sampleReport())

test('every entry of the cross-reference table leads to its object', () => {
  assert.equal(sample.offsets.length, sample.trailer.get('Size'))
  for (let id = 1; id < sample.offsets.length; id++) sample.object(id)
})

test('the same report is the same bytes', async () => {
  assert.deepEqual(await bytesOf(sampleReport()), await bytesOf(sampleReport()))
})

test('every page says its number and how many there are', () => {
  const { pages } = sample
  assert.ok(pages.length > 3)
  assert.equal(sample.get(sample.root, 'Pages', 'Count'), pages.length)
  for (const [at, page] of pages.entries()) {
    const numbers = page.texts.filter(({ text }) => /^\d+ \/ \d+$/.test(text)).map(({ text }) => text)
    assert.deepEqual(numbers, [`${at + 1} / ${pages.length}`])
  }
})

test('every quotation, mark and conversation is a link to its place, on its own page', () => {
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
  const uris = sample.pages.flatMap(({ annotations }) => annotations.flatMap(({ uri }) => uri ?? []))
  assert.deepEqual(new Set(uris), wanted)
})

test('every entry of the contents leads to the page that it names, and the heading stands there', () => {
  const { pages } = sample
  const [front] = pages
  const headings = [...sampleReport().sections.flatMap(({ heading }) => heading ?? []), 'Gespräche']
  const entries = front?.annotations.filter(({ page }) => page !== null) ?? []
  for (const heading of headings) {
    const leading = entries.filter(({ contents }) => contents.startsWith(`${heading}, `))
    assert.ok(leading.length > 0, heading)
    for (const { contents, page } of leading) {
      assert.ok(contents.endsWith(`Seite ${Number(page) + 1} von ${pages.length}`), contents)
      assert.ok(squeezed(pages[Number(page)]?.text ?? '').includes(squeezed(heading)))
    }
  }
  const numbers = front?.texts.map(({ text }) => text).filter((text) => /^\d+$/.test(text))
  const firsts = headings.map((heading) => entries.find(({ contents }) => contents.startsWith(heading))?.page)
  assert.deepEqual(
    numbers,
    firsts.map((page) => String(Number(page) + 1)),
  )
})

test('the first page says what was left out and which model wrote it; a report on nothing claims nothing', async () => {
  const left_out = { not_finished: 3, failed: 0, empty: 1, erased: 0, over_limit: 0 }
  const { pages } = await read(sampleReport({ left_out, method: 'generative', model: 'a-model' }))
  const front = squeezed(pages[0]?.text ?? '')
  for (const told of ['Nicht berücksichtigt: 3 noch nicht beendet, 1 ohne Worte', '· a-model'])
    assert.ok(front.includes(squeezed(told)), front)
  const nothing = await read(
    sampleReport({ sections: [], conversations: [], conversation_count: 0, left_out }),
  )
  const text = squeezed(nothing.pages.map((page) => page.text).join(''))
  assert.ok(text.includes('3nochnicht') && !text.includes('AutomatischerAuszug'), text)
})

test('contents over several pages still name the right ones', async () => {
  const [section] = sampleReport().sections
  const sections = Array.from({ length: 90 }, (_, at) => ({
    heading: `Heading ${at + 1}`,
    paragraphs: section?.paragraphs.slice(0, 1) ?? [],
    quotations: [],
  }))
  const { pages } = await read(sampleReport({ language: 'en', sections }))
  const entries = pages.flatMap(({ annotations }) => annotations.filter(({ page }) => page !== null))
  assert.equal(entries.length, 91)
  for (const { contents, page } of entries) {
    const [heading = '', place = ''] = contents.split(', ')
    assert.equal(place, `page ${Number(page) + 1} of ${pages.length}`)
    assert.ok(
      pages[Number(page)]?.texts.some(({ text }) => text === heading),
      contents,
    )
  }
})

test('the outline has the headings in their order', () => {
  const titles: unknown[] = []
  for (let item = sample.get(sample.root, 'Outlines', 'First'); item; item = sample.get(item, 'Next'))
    titles.push(sample.get(item, 'Title'))
  const headings = sampleReport().sections.map(({ heading }) => heading)
  assert.deepEqual(titles, ['Inhalt', ...headings, 'Gespräche'])
})

test('it says its title and language, and is tagged for reading aloud', () => {
  assert.equal(sample.get(sample.trailer, 'Info', 'Title'), 'Was der Lindenplatz werden kann')
  assert.equal(sample.root.get('Lang'), 'de')
  assert.equal(sample.get(sample.root, 'MarkInfo', 'Marked'), true)
  const roles = rolesOf(sample)
  assert.deepEqual(roles.filter((role) => role === '/H1').length, 1)
  assert.deepEqual(roles.filter((role) => role === '/H2').length, 8)
  assert.deepEqual(roles.filter((role) => role === '/BlockQuote').length, 30)
})

test('a paragraph over several pages is one to whoever has it read aloud', async () => {
  const paragraphs = [{ text: 'many words '.repeat(1500), sources: [] }]
  const sections = [{ heading: 'h', paragraphs, quotations: [] }]
  const pdf = await read(sampleReport({ introduction: '', sections, conversations: [] }))
  assert.ok(pdf.pages.length > 3)
  assert.deepEqual(rolesOf(pdf), ['/P', '/H1', '/P', '/P', '/H2', '/TOC', '/H2', '/P'])
})

test('what the fonts lack is said and never drawn as a box', async () => {
  for (const { texts } of sample.pages) for (const { glyphs } of texts) assert.ok(!glyphs.includes(0))
  const text = squeezed(sample.pages.map((page) => page.text).join(''))
  assert.ok(
    text.includes(squeezed('toll [1 Zeichen: siehe HTML-Fassung] und [6 Zeichen: siehe HTML-Fassung] die')),
  )
  assert.ok(text.includes(squeezed('Den Schriften dieser PDF-Datei fehlen einige Zeichen')))
  const complete = await read(sampleReport({ sections: [] }))
  assert.ok(!complete.pages.some((page) => page.text.includes('Den Schriften')))
})

test('a gap in the title alone is said too', async () => {
  const { pages } = await read(sampleReport({ language: 'en', title: '市民との対話', sections: [] }))
  assert.match(pages[0]?.text ?? '', /\[6 characters: see\sthe HTML version\]/)
  assert.match(pages[0]?.text ?? '', /The fonts of this PDF lack some characters/)
})

const hostile = `</x:xmpmeta> & ") >> endobj 1 0 obj << /S /JavaScript /JS (x) >> \\ ( \u202etxt`
test('text that looks like PDF or XML is only text', async () => {
  const [section] = sampleReport().sections
  const pdf = await read(
    sampleReport({
      title: hostile,
      project_name: hostile,
      sections: [{ heading: hostile, paragraphs: section?.paragraphs ?? [], quotations: [] }],
    }),
  )
  const shown = hostile.replace('\u202e', '')
  assert.equal(pdf.get(pdf.trailer, 'Info', 'Title'), shown)
  assert.ok(squeezed(pdf.pages[0]?.text ?? '').includes(squeezed(shown)))
  for (let id = 1; id < pdf.offsets.length; id++) {
    const value = pdf.object(id)
    if (value instanceof Map) assert.ok(!value.has('JS') && value.get('S') !== '/JavaScript')
  }
  const metadata = pdf.root.get('Metadata')
  const xml = pdf.stream((metadata as { ref: number }).ref)
  assert.equal(xml.match(/<\/x:xmpmeta>/g)?.length, 1)
  assert.ok(xml.includes('&lt;/x:xmpmeta&gt; &amp; &quot;)'))
})

for (const url of [
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'https://a@b.example/',
  'x',
]) {
  test(`${url} is no link`, async () => {
    const source = { ...sourceOf(1, 3), url }
    const sections = [
      { heading: 'h', paragraphs: [{ text: 'p', sources: [source] }], quotations: [{ text: 'q', source }] },
    ]
    const conversations = sampleReport().conversations.map((one) => ({ ...one, url }))
    const pdf = await read(sampleReport({ sections, conversations }))
    assert.deepEqual(
      pdf.pages.flatMap(({ annotations }) => annotations.flatMap(({ uri }) => uri ?? [])),
      [],
    )
    assert.match(pdf.pages[1]?.text ?? '', /„q“/)
  })
}

test('words from right to left are drawn in the order in which they are seen, as readers of PDF expect', async () => {
  const pdf = await read(sampleReport({ language: 'ar', title: 'ما الساحة؟', sections: [] }))
  assert.ok(pdf.pages[0]?.texts.some(({ text }) => Array.from(text).reverse().join('') === 'ما الساحة؟'))
})

test('an empty report is a page, not an error', async () => {
  const nothing = {
    title: '',
    project_name: '',
    introduction: ' ',
    sections: [],
    conversations: [],
    language: '?',
  }
  const { pages } = await read(sampleReport(nothing))
  assert.equal(pages.length, 1)
  assert.match(pages[0]?.text ?? '', /1 \/ 1/)
  assert.doesNotMatch(pages[0]?.text ?? '', /Contents/)
})

test('a slow target is waited for, page by page', async () => {
  const [section] = sampleReport().sections
  let [most, total] = [0, 0]
  const target = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _, done) {
      most = Math.max(most, target.writableLength)
      total += chunk.length
      setImmediate(done)
    },
  })
  await renderPdf(sampleReport({ sections: Array(60).fill(section) }), target)
  assert.ok(most < total / 4, `${most} of ${total} bytes were waiting at once`)
})

test('a target that breaks ends the rendering with its error', async () => {
  const target = new Writable({ write: (_chunk, _encoding, done) => done(new Error('disk full')) })
  await assert.rejects(renderPdf(sampleReport(), target), /disk full/)
})
