import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { ReportDocument } from '../render/report-document.ts'
import { pdfStream } from '../render/report-file.ts'

const KEPT_MS = 60_000
const MAX_KEPT = 8

/**
 * The PDF of a published document. Rendering takes about 0.4 s of a core and anyone can request it, so one is rendered at a time, and
 * each is kept for a minute. The key is the whole document: a withdrawn quotation changes it.
 */
export function createPublishedPdfs(
  render: (document: ReportDocument) => Promise<Buffer> = bytesOf,
): (document: ReportDocument) => Promise<Buffer> {
  const kept = new Map<string, Promise<Buffer>>()
  let last: Promise<unknown> = Promise.resolve()
  return (document) => {
    const key = createHash('sha256').update(JSON.stringify(document)).digest('base64')
    const found = kept.get(key)
    if (found) return found
    const pdf = last.then(() => render(document))
    last = pdf.catch(() => {})
    kept.set(key, pdf)
    const forget = (): void => void (kept.get(key) === pdf && kept.delete(key))
    pdf.then(() => setTimeout(forget, KEPT_MS).unref(), forget)
    const [oldest] = kept.keys()
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
    return pdf
  }
}

const bytesOf = (document: ReportDocument): Promise<Buffer> => buffer(pdfStream(document))
