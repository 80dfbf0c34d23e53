import type { Block } from './blocks.ts'
import type { Line } from './lines.ts'
import type { Fragment, Page } from './paginate.ts'
import { heightOf } from './paginate.ts'
import { type Run, shapingOrder } from './runs.ts'
import { Structure, type StructureElement } from './structure.ts'
import { ACCENT, COLUMN, FOOTER_BASELINE, LINE, PAGE } from './theme.ts'
import type { Link } from './typesetter.ts'

/** Where in its height a line's letters stand. */
const BASELINE = 0.72

/** Draws pages, each with its place in the structure that is read aloud. */
export class Painter {
  readonly #pdf: PDFKit.PDFDocument
  readonly #structure: Structure

  constructor(pdf: PDFKit.PDFDocument) {
    this.#pdf = pdf
    this.#structure = new Structure(pdf)
  }

  page(page: Page, footer: Run[]): void {
    this.#pdf.addPage()
    for (const fragment of page) this.#fragment(fragment)
    this.#ornament('Pagination', () => {
      for (const run of footer) this.#run(run, PAGE.side, FOOTER_BASELINE)
    })
  }

  end(): void {
    this.#structure.end()
  }

  #fragment(fragment: Fragment): void {
    const { block, y, isFirst } = fragment
    if (isFirst && block.target) this.#mark(block.target, y)
    if (block.bar) this.#bar(fragment)
    if (block.leader && fragment.lines.includes(block.leader.line)) this.#leader(block.leader, fragment)
    const element = this.#structure.elementFor(fragment)
    this.#text(fragment, element)
    this.#structure.done(fragment)
  }

  /** For the contents and for the outline beside the pages. */
  #mark({ anchor, title }: NonNullable<Block['target']>, y: number): void {
    const top = y - 12
    this.#pdf.addNamedDestination(anchor, 'XYZ', 0, top, 0)
    // Its `left` counts from the right edge.
    const place = { expanded: false, fit: false, top, left: PAGE.width, zoom: 0 }
    this.#pdf.outline.addItem(title, place)
  }

  #text({ block, lines, y }: Fragment, element: StructureElement): void {
    const left = PAGE.side + (block.align === 'rtl' ? 0 : block.inset)
    let top = y
    const placed = lines.map((line) => {
      const at = { line, top }
      top += line.leading
      return at
    })
    for (const stretch of stretches(placed)) {
      const draw = (): void => {
        for (const { run, top } of stretch.runs) this.#run(run, left, top + run.style.leading * BASELINE)
      }
      if (stretch.link) this.#linked(stretch.link, stretch.runs, left, draw, element)
      else element.add(draw)
    }
  }

  #linked(link: Link, runs: PlacedRun[], left: number, draw: () => void, parent: StructureElement): void {
    const element = this.#structure.child(parent, 'Link')
    element.add(draw)
    for (const [top, own] of Map.groupBy(runs, ({ top }) => top)) {
      const from = Math.min(...own.map(({ run }) => run.x))
      const to = Math.max(...own.map(({ run }) => run.x + run.width))
      // A primitive string would be written as a PDF name, unescaped: only a String object is written as text.
      const options = { structParent: element, Contents: Object(link.description) as string }
      const height = own[0]?.run.style.leading ?? 0
      const area = [left + from, top, to - from, height] as const
      if (link.href.startsWith('#')) this.#pdf.goTo(...area, link.href.slice(1), options)
      else this.#pdf.link(...area, link.href, options)
    }
    element.end()
  }

  #run(run: Run, left: number, baseline: number): void {
    this.#pdf.font(run.font).fontSize(run.style.size).fillColor(run.style.color)
    const options = { lineBreak: false, baseline: 'alphabetic' } as const
    // With `features`, even none, the shaper gets the whole run: word by word, Arabic words would stand in wrong order.
    this.#pdf.text(
      shapingOrder(run),
      left + run.x,
      baseline,
      run.rtl ? { ...options, features: [] } : options,
    )
  }

  #bar({ block, lines, y }: Fragment): void {
    const [color, width] = block.bar === 'notice' ? [ACCENT, 2] : [LINE, 1.5]
    const x = block.align === 'rtl' ? PAGE.side + COLUMN - width : PAGE.side
    this.#ornament('Layout', () => this.#pdf.rect(x, y, width, heightOf(lines)).fill(color))
  }

  #leader({ line, from, to }: NonNullable<Block['leader']>, { lines, y }: Fragment): void {
    if (to <= from) return
    const above = heightOf(lines.slice(0, lines.indexOf(line)))
    const baseline = y + above + line.leading * BASELINE
    this.#ornament('Layout', () =>
      this.#pdf
        .save()
        .lineWidth(0.6)
        .dash(0.6, { space: 3.4 })
        .moveTo(PAGE.side + from, baseline)
        .lineTo(PAGE.side + to, baseline)
        .stroke(LINE)
        .restore(),
    )
  }

  /** What is to be seen and not to be read aloud. */
  #ornament(type: 'Pagination' | 'Layout', draw: () => void): void {
    this.#pdf.markContent('Artifact', { type })
    draw()
    this.#pdf.endMarkedContent()
  }
}

interface PlacedRun {
  run: Run
  top: number
}

/** Runs of neighbouring lines that are one link, or none. */
function stretches(
  placed: readonly { line: Line; top: number }[],
): { link: Link | undefined; runs: PlacedRun[] }[] {
  const found: { link: Link | undefined; runs: PlacedRun[] }[] = []
  for (const { line, top } of placed)
    for (const run of line.runs) {
      const last = found.at(-1)
      if (last && last.link === run.link) last.runs.push({ run, top })
      else found.push({ link: run.link, runs: [{ run, top }] })
    }
  return found
}
