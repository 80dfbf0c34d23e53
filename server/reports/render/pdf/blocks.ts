import type { Labels } from '../labels.ts'
import { type Direction, directionOf } from './bidi.ts'
import { balancedWidth, breakLines, type Line } from './break-lines.ts'
import type { PositionedRun } from './position-runs.ts'
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
  /** A named destination for links, with its title in the outline, if it has one. */
  destination?: { anchor: string; title: string | null }
  /** The dots between an entry of the table of contents and its page number. */
  leader?: { line: Line; from: number; to: number }
  /** A bar beside the line, filled to a share between 0 and 1. */
  meter?: { line: Line; share: number }
}

export class BlockBuilder {
  readonly labels: Labels
  readonly measurer: TextMeasurer

  constructor(labels: Labels, measurer: TextMeasurer) {
    this.labels = labels
    this.measurer = measurer
  }

  block(spans: Span[], spaceBefore: number, more: Partial<Block> = {}): Block {
    const { indent = 0, align = this.#directionOf(spans) } = more
    return { lines: this.lines(spans, indent, align), spaceBefore, indent, align, roles: ['P'], ...more }
  }

  text = (text: string, style: TextStyle, spaceBefore: number, more?: Partial<Block>): Block =>
    this.block([{ text, style }], spaceBefore, more)

  /** Its lines have about the same length. */
  title(text: string, style: TextStyle, spaceBefore: number): Block {
    const spans = [{ text, style }]
    const align = this.#directionOf(spans)
    const lines = this.linesBefore(COLUMN - balancedWidth(spans, COLUMN, this.measurer), spans, align)
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

  /** Lines that leave `reserved` points free at their end. */
  linesBefore(reserved: number, spans: Span[], align: Direction): Line[] {
    const left = align === 'rtl' ? reserved : 0
    return this.lines(spans, reserved, align).map((line) => ({
      ...line,
      runs: line.runs.map((run) => ({ ...run, x: run.x + left })),
    }))
  }

  /** Lines that leave `reserved` points free at their start. */
  linesAfter(reserved: number, spans: Span[], align: Direction): Line[] {
    const left = align === 'rtl' ? 0 : reserved
    return this.lines(spans, reserved, align).map((line) => ({
      ...line,
      runs: line.runs.map((run) => ({ ...run, x: run.x + left })),
    }))
  }

  /** A page number at the end of a line. */
  pageNumber(span: Span): PositionedRun {
    const [run] = this.measurer.fontRuns(span)
    if (!run) throw new Error('No font has a glyph for the page number.')
    return { ...run, x: this.labels.direction === 'rtl' ? 0 : COLUMN - run.width, rtl: false }
  }

  /** The direction of the report applies to text without letters. */
  #directionOf(spans: Span[]): Direction {
    const texts = spans.flatMap(({ text, isolate }) => (isolate ? [] : text))
    return directionOf(texts.join(''), this.labels.direction)
  }
}
