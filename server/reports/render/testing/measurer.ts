import PDFDocument from 'pdfkit'
import { registerFonts } from '../pdf/fonts.ts'
import { TextMeasurer } from '../pdf/text-measurer.ts'

const pdf = new PDFDocument({ autoFirstPage: false })
registerFonts(pdf)

/** Measures with the real fonts. The placeholder for n missing characters is `[n]`. */
export const newMeasurer = (): TextMeasurer =>
  new TextMeasurer(
    (text, font, size) => pdf.font(font).fontSize(size).widthOfString(text),
    (count) => `[${count}]`,
  )
