import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import { escapeMarkup } from './markup.ts'
import { type FontName, fontFiles } from './pdf/fonts.ts'
import { footerOf } from './pdf/footer.ts'
import { layOut } from './pdf/lay-out.ts'
import { Painter } from './pdf/paint.ts'
import { PAGE } from './pdf/theme.ts'
import { Typesetter } from './pdf/typesetter.ts'
import { type PreparedReport, prepare } from './prepare.ts'
import type { ReportDocument } from './report-document.ts'

/** Writes the report as a tagged PDF. The same document is always the same bytes. */
export async function renderPdf(document: ReportDocument, target: Writable): Promise<void> {
  await pipeline(pdfOf(prepare(document), new Date(document.created_at)), target)
}

/** Page by page: the next one is drawn when the target has room, so that a slow reader costs no memory. */
async function* pdfOf(report: PreparedReport, created: Date): AsyncGenerator<Buffer> {
  const pdf = open(report, created)
  const measure = (text: string, font: FontName, size: number): number =>
    pdf.font(font).fontSize(size).widthOfString(text)
  const setter = new Typesetter(measure, report.words.missing)
  const pages = await layOut(report, setter)
  const painter = new Painter(pdf)
  for (const [at, page] of pages.entries()) {
    painter.page(page, footerOf(report, at + 1, pages.length, setter))
    yield* written(pdf)
    await setImmediate()
  }
  painter.end()
  pdf.end()
  yield* written(pdf)
}

function open({ title, project, words }: PreparedReport, created: Date): PDFKit.PDFDocument {
  const pdf = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    autoFirstPage: false,
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    lang: words.language,
    info: {
      Title: forInfoAndXml(title),
      Subject: forInfoAndXml(project),
      Creator: 'Parley',
      Producer: 'Parley',
      CreationDate: Number.isNaN(created.getTime()) ? new Date(0) : created,
    },
  })
  for (const [name, bytes] of fontFiles()) pdf.registerFont(name, bytes)
  return pdf
}

/** The library writes these twice: by value into the Info dictionary, escaped; by `toString` into XML, unescaped. */
const forInfoAndXml = (text: string): string =>
  Object.assign(Object(text), { toString: () => escapeMarkup(text) }) as string

/** What the library has written since; its stream is never left to flow by itself. */
function* written(pdf: PDFKit.PDFDocument): Generator<Buffer> {
  const bytes: Buffer | null = pdf.read()
  if (bytes) yield bytes
}
