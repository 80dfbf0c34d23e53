import { getDocument, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

export interface PdfFile {
  document: PDFDocumentProxy
  pages: PdfPage[]
  /** All text without white space. */
  squeezed: string
}

interface PdfPage {
  /** As a PDF reader extracts them: in logical order, with U+0000 for the box of a missing glyph. */
  texts: string[]
  text: string
  links: PdfLink[]
  /** Roles of the structure elements right below the document. */
  roles: string[]
}

interface PdfLink {
  uri: string | null
  /** The index of the target page, for a link within the document. */
  page: number | null
  contents: string
}

export async function readPdf(bytes: Buffer): Promise<PdfFile> {
  checkCrossReferences(bytes.toString('latin1'))
  const document = await getDocument({ data: new Uint8Array(bytes), stopAtErrors: true, verbosity: 0 })
    .promise
  const pages: PdfPage[] = []
  for (let number = 1; number <= document.numPages; number++)
    pages.push(await readPage(document, await document.getPage(number)))
  return { document, pages, squeezed: squeeze(pages.map(({ text }) => text).join('')) }
}

export const squeeze = (text: string): string => text.replaceAll(/\s/g, '')

/** pdf.js repairs a broken cross-reference table silently. */
function checkCrossReferences(file: string): void {
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)?.[1])
  const offsets = file.slice(start).match(/^\d{10}(?= \d{5} n)/gm) ?? []
  const size = Number(/\/Size (\d+)/.exec(file.slice(start))?.[1])
  if (!file.startsWith('xref\n', start) || offsets.length !== size - 1)
    throw new Error('The cross-reference table is broken.')
  for (const [at, offset] of offsets.entries())
    if (!file.startsWith(`${at + 1} 0 obj\n`, Number(offset)))
      throw new Error(`Object ${at + 1} is not at ${offset}.`)
}

async function readPage(document: PDFDocumentProxy, page: PDFPageProxy): Promise<PdfPage> {
  const { items } = await page.getTextContent()
  const texts = items.flatMap((item) => ('str' in item ? [item] : []))
  const tree = await page.getStructTree()
  const annotations: unknown[] = await page.getAnnotations()
  return {
    texts: texts.map(({ str }) => str),
    text: texts.map(({ str, hasEOL }) => str + (hasEOL ? '\n' : '')).join(''),
    links: await Promise.all((annotations as Annotation[]).map((one) => readLink(document, one))),
    roles: childrenOf(tree)
      .flatMap(childrenOf)
      .flatMap((element) => ('role' in element ? element.role : [])),
  }
}

type StructureNode = Awaited<ReturnType<PDFPageProxy['getStructTree']>>
const childrenOf = (node: StructureNode | StructureNode['children'][number]) =>
  'children' in node ? node.children : []

interface Annotation {
  unsafeUrl?: string
  dest?: string
  contentsObj: { str: string }
}

async function readLink(document: PDFDocumentProxy, annotation: Annotation): Promise<PdfLink> {
  const { unsafeUrl = null, dest, contentsObj } = annotation
  const target = dest === undefined ? null : await document.getDestination(dest)
  const page = target ? await document.getPageIndex(target[0]) : null
  return { uri: unsafeUrl, page, contents: contentsObj.str }
}
