import type { FontName } from './fonts.ts'

export interface TextStyle {
  font: FontName
  size: number
  color: string
  /** The distance between baselines. */
  leading: number
}

const INK = '#1c2430'
const SOFT = '#5a6472'
export const ACCENT = '#1f5673'
export const LINE = '#c3cad3'

/** A4 in points. A line of body text has about 75 characters, the upper limit for comfortable reading. */
export const PAGE = { width: 595.28, height: 841.89, top: 76, bottom: 92, side: 84 }
export const COLUMN = PAGE.width - 2 * PAGE.side
/** The bars of the themes on the first page. */
export const METER = { width: 120, height: 5, gap: 10 }
export const FOOTER_BASELINE = PAGE.height - 50

/** Font sizes: 8, 9, 10, 11.5, 15, 26. */
export const STYLES = {
  project: { font: 'sans-bold', size: 10, color: ACCENT, leading: 15 },
  title: { font: 'sans-bold', size: 26, color: INK, leading: 33 },
  facts: { font: 'sans', size: 10, color: SOFT, leading: 15 },
  notice: { font: 'sans', size: 9, color: SOFT, leading: 13.5 },
  themes: { font: 'sans-bold', size: 11.5, color: INK, leading: 17 },
  entry: { font: 'sans', size: 10, color: INK, leading: 15 },
  heading: { font: 'sans-bold', size: 15, color: INK, leading: 20.5 },
  lead: { font: 'serif', size: 11.5, color: INK, leading: 18 },
  body: { font: 'serif', size: 10, color: INK, leading: 15.5 },
  citation: { font: 'sans', size: 8, color: ACCENT, leading: 15.5 },
  quotation: { font: 'serif-italic', size: 10, color: INK, leading: 15.5 },
  attribution: { font: 'sans', size: 8, color: SOFT, leading: 13.5 },
  erased: { font: 'sans', size: 9, color: SOFT, leading: 15.5 },
  listed: { font: 'sans', size: 9, color: ACCENT, leading: 13.5 },
  listedFacts: { font: 'sans', size: 9, color: SOFT, leading: 13.5 },
  footer: { font: 'sans', size: 8, color: SOFT, leading: 12 },
} as const satisfies Record<string, TextStyle>
