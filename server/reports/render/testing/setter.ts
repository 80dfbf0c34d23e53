import PDFDocument from 'pdfkit'
import { fontFiles } from '../pdf/fonts.ts'
import { Typesetter } from '../pdf/typesetter.ts'

const pdf = new PDFDocument({ autoFirstPage: false })
for (const [name, bytes] of fontFiles()) pdf.registerFont(name, bytes)

/** Measures with the real fonts; n missing characters are shown as `[n]`. */
export const newSetter = (): Typesetter =>
  new Typesetter(
    (text, font, size) => pdf.font(font).fontSize(size).widthOfString(text),
    (count) => `[${count}]`,
  )
