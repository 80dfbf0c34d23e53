import { balancedWidth, directionOfSpans, type Line, setLines, shifted } from './lines.ts'
import type { Direction } from './runs.ts'
import { COLUMN, STYLES, type TextStyle } from './theme.ts'
import type { Span, Typesetter } from './typesetter.ts'

/** Lines that belong together: a heading, a paragraph, a quotation with whom it is from. */
export interface Block {
  lines: Line[]
  before: number
  /** At the side where its lines begin. */
  inset: number
  align: Direction
  /** What it is to whoever has it read aloud: elements of PDF's structure, the outer one first. */
  roles: readonly string[]
  /** Consecutive blocks of one group are children of one element. */
  group?: 'TOC' | 'L'
  /** Never the last on its page. */
  keepWithNext?: true
  /** Not divided, unless it is long. */
  whole?: true
  /** This many lines at its end stay together; 2 unless told. */
  tail?: number
  bar?: 'quotation' | 'notice'
  /** Where links lead to, and what the outline says. */
  target?: { anchor: string; title: string }
  /** Ends in the number of a page, with dots that lead to it. */
  leader?: { line: Line; from: number; to: number }
}

/** Makes blocks of text, for a report of one direction. */
export class Blocks {
  readonly #direction: Direction
  readonly setter: Typesetter

  constructor(direction: Direction, setter: Typesetter) {
    this.#direction = direction
    this.setter = setter
  }

  /** `align`: by its own letters, unless told. */
  block(spans: Span[], before: number, { inset = 0, align = this.directionOf(spans) } = {}): Block {
    return { lines: this.lines(spans, inset, align), before, inset, align, roles: ['P'] }
  }

  text = (text: string, style: TextStyle, before: number, options?: { inset?: number; align?: Direction }) =>
    this.block([{ text, style }], before, options)

  /** Over several lines of about the same length. */
  title(text: string, style: TextStyle, before: number): Block {
    const spans = [{ text, style }]
    const inset = COLUMN - balancedWidth(spans, COLUMN, this.setter)
    const align = this.directionOf(spans)
    const lines = shifted(this.lines(spans, inset, align), align === 'rtl' ? inset : 0)
    return { lines, before, inset: 0, align, roles: ['H1'] }
  }

  heading = (text: string, anchor: string): Block => ({
    ...this.title(text, STYLES.heading, 30),
    roles: ['H2'],
    keepWithNext: true,
    target: { anchor, title: text },
  })

  lines = (spans: Span[], inset: number, align: Direction): Line[] =>
    setLines(spans, COLUMN - inset, { base: this.directionOf(spans), align }, this.setter)

  directionOf = (spans: Span[]): Direction => directionOfSpans(spans, this.#direction)
}
