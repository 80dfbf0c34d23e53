import type { Direction } from './bidi.ts'
import { balancedWidth, breakLines, directionOfSpans, type Line, offsetLines } from './break-lines.ts'
import type { Span, TextMeasurer } from './text-measurer.ts'
import { COLUMN, STYLES, type TextStyle } from './theme.ts'

/** Lines that belong together: a heading, a paragraph, a quotation with its attribution. */
export interface Block {
  lines: Line[]
  spaceBefore: number
  /** At the side where the lines start. */
  indent: number
  align: Direction
  /** Its elements in the PDF structure tree, the outer one first. */
  roles: readonly string[]
  /** Consecutive blocks of one group are children of one element. */
  group?: 'TOC' | 'L'
  /** Never the last block on a page. */
  keepWithNext?: true
  /** Not divided between pages, unless it is long. */
  keepTogether?: true
  /** The minimum number of lines at the top of the next page; 2 by default. */
  widows?: number
  bar?: 'quotation' | 'notice'
  /** A named destination for links, with its title in the outline. */
  destination?: { anchor: string; title: string }
  /** The dots between an entry of the table of contents and its page number. */
  leader?: { line: Line; from: number; to: number }
}

export class BlockBuilder {
  readonly #direction: Direction
  readonly measurer: TextMeasurer

  /** `direction` is that of the report, for text without letters. */
  constructor(direction: Direction, measurer: TextMeasurer) {
    this.#direction = direction
    this.measurer = measurer
  }

  block(spans: Span[], spaceBefore: number, { indent = 0, align = this.#directionOf(spans) } = {}): Block {
    return { lines: this.lines(spans, indent, align), spaceBefore, indent, align, roles: ['P'] }
  }

  text = (
    text: string,
    style: TextStyle,
    spaceBefore: number,
    options?: { indent?: number; align?: Direction },
  ) => this.block([{ text, style }], spaceBefore, options)

  /** Its lines have about the same length. */
  title(text: string, style: TextStyle, spaceBefore: number): Block {
    const spans = [{ text, style }]
    const margin = COLUMN - balancedWidth(spans, COLUMN, this.measurer)
    const align = this.#directionOf(spans)
    const lines = offsetLines(this.lines(spans, margin, align), align === 'rtl' ? margin : 0)
    return { lines, spaceBefore, indent: 0, align, roles: ['H1'] }
  }

  heading = (text: string, anchor: string): Block => ({
    ...this.title(text, STYLES.heading, 30),
    roles: ['H2'],
    keepWithNext: true,
    destination: { anchor, title: text },
  })

  lines = (spans: Span[], indent: number, align: Direction): Line[] =>
    breakLines(spans, COLUMN - indent, { base: this.#directionOf(spans), align }, this.measurer)

  #directionOf = (spans: Span[]): Direction => directionOfSpans(spans, this.#direction)
}
