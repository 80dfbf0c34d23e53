import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import { escapeMarkup } from './markup.ts'
import { BlockBuilder } from './pdf/blocks.ts'
import { type FontName, registerFonts } from './pdf/fonts.ts'
import { footerRuns, layOutPages } from './pdf/layout.ts'
import { PageRenderer } from './pdf/page-renderer.ts'
import { TextMeasurer } from './pdf/text-measurer.ts'
import { PAGE } from './pdf/theme.ts'
import { type PreparedReport, prepare } from './prepare.ts'
import type { ReportDocument } from './report-document.ts'

/** Writes the report as a tagged PDF. The same document always gives the same bytes. */
export async function renderPdf(document: ReportDocument, target: Writable): Promise<void> {
  await pipeline(pdfChunks(prepare(document), new Date(document.created_at)), target)
}

/** Draws the next page when the target is ready for it, so that a slow client does not fill the memory. */
async function* pdfChunks(report: PreparedReport, created: Date): AsyncGenerator<Buffer> {
  const pdf = createDocument(report, created)
  const measure = (text: string, font: FontName, size: number): number =>
    pdf.font(font).fontSize(size).widthOfString(text)
  const builder = new BlockBuilder(report.labels, new TextMeasurer(measure, report.labels.missingCharacters))
  const pages = await layOutPages(report, builder)
  const renderer = new PageRenderer(pdf)
  for (const [at, page] of pages.entries()) {
    renderer.renderPage(page, footerRuns(report.title, at + 1, pages.length, builder))
    yield* bufferedOutput(pdf)
    await setImmediate()
  }
  renderer.end()
  pdf.end()
  yield* bufferedOutput(pdf)
}

function createDocument({ title, project, labels }: PreparedReport, created: Date): PDFKit.PDFDocument {
  const pdf = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    autoFirstPage: false,
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    lang: labels.language,
    info: {
      Title: forInfoAndXml(title),
      Subject: forInfoAndXml(project),
      Creator: 'Parley',
      Producer: 'Parley',
      CreationDate: Number.isNaN(created.getTime()) ? new Date(0) : created,
    },
  })
  registerFonts(pdf)
  return pdf
}

/** pdfkit writes these twice: by value into the Info dictionary, escaped; by `toString` into XML, unescaped. */
const forInfoAndXml = (text: string): string =>
  Object.assign(Object(text), { toString: () => escapeMarkup(text) }) as string

function* bufferedOutput(pdf: PDFKit.PDFDocument): Generator<Buffer> {
  const bytes: Buffer | null = pdf.read()
  if (bytes) yield bytes
}
