import type { Block } from './blocks.ts'
import type { Line } from './break-lines.ts'
import { type Fragment, heightOf, type Page } from './paginate.ts'
import { type PositionedRun, shapingOrder } from './position-runs.ts'
import type { Link } from './text-measurer.ts'
import { ACCENT, COLUMN, FOOTER_BASELINE, LINE, METER, PAGE } from './theme.ts'

/** The position of the baseline, as a share of the leading. */
const BASELINE = 0.72

/** Draws pages and tags their content. */
export class PageRenderer {
  readonly #pdf: PDFKit.PDFDocument
  readonly #structure: StructureTree

  constructor(pdf: PDFKit.PDFDocument) {
    this.#pdf = pdf
    this.#structure = new StructureTree(pdf)
  }

  renderPage(page: Page, footer: PositionedRun[]): void {
    this.#pdf.addPage()
    for (const fragment of page) this.#drawFragment(fragment)
    this.#drawArtifact('Pagination', () => {
      for (const run of footer) this.#drawRun(run, PAGE.side, FOOTER_BASELINE)
    })
  }

  end(): void {
    this.#structure.end()
  }

  #drawFragment(fragment: Fragment): void {
    const { block, y, isFirst } = fragment
    if (isFirst && block.destination) this.#addDestination(block.destination, y)
    if (block.bar) this.#drawBar(fragment)
    if (block.leader && fragment.lines.includes(block.leader.line)) this.#drawLeader(block.leader, fragment)
    if (block.meter && fragment.lines.includes(block.meter.line)) this.#drawMeter(block.meter, fragment)
    this.#drawText(fragment, this.#structure.elementFor(fragment))
    this.#structure.finish(fragment)
  }

  #addDestination({ anchor, title }: NonNullable<Block['destination']>, y: number): void {
    const top = y - 12
    this.#pdf.addNamedDestination(anchor, 'XYZ', 0, top, 0)
    if (title === null) return
    // In pdfkit's outline, `left` is the distance from the right edge.
    const position = { expanded: false, fit: false, top, left: PAGE.width, zoom: 0 }
    this.#pdf.outline.addItem(title, position)
  }

  #drawText({ block, lines, y }: Fragment, element: StructureElement): void {
    const left = PAGE.side + (block.align === 'rtl' ? 0 : block.indent)
    for (const { link, runs } of groupByLink(lines, y)) {
      const draw = (): void => {
        for (const { run, top } of runs) this.#drawRun(run, left, top + run.style.leading * BASELINE)
      }
      if (link) this.#drawLink(link, runs, left, draw, element)
      else element.add(draw)
    }
  }

  #drawLink(link: Link, runs: PlacedRun[], left: number, draw: () => void, parent: StructureElement): void {
    const element = this.#structure.child(parent, 'Link')
    element.add(draw)
    for (const [top, inLine] of Map.groupBy(runs, ({ top }) => top)) {
      const from = Math.min(...inLine.map(({ run }) => run.x))
      const to = Math.max(...inLine.map(({ run }) => run.x + run.width))
      // pdfkit writes a primitive string as a PDF name, unescaped; a String object becomes escaped text.
      const options = { structParent: element, Contents: Object(link.description) as string }
      const height = inLine[0]?.run.style.leading ?? 0
      const area = [left + from, top, to - from, height] as const
      if (link.href.startsWith('#')) this.#pdf.goTo(...area, link.href.slice(1), options)
      else this.#pdf.link(...area, link.href, options)
    }
    element.end()
  }

  #drawRun(run: PositionedRun, left: number, baseline: number): void {
    this.#pdf.font(run.font).fontSize(run.style.size).fillColor(run.style.color)
    const options = { lineBreak: false, baseline: 'alphabetic' } as const
    // With `features`, even an empty list, pdfkit shapes the whole run; word by word, Arabic words would be out of order.
    this.#pdf.text(
      shapingOrder(run),
      left + run.x,
      baseline,
      run.rtl ? { ...options, features: [] } : options,
    )
  }

  #drawBar({ block, lines, y }: Fragment): void {
    const [color, width] = block.bar === 'notice' ? [ACCENT, 2] : [LINE, 1.5]
    const x = block.align === 'rtl' ? PAGE.side + COLUMN - width : PAGE.side
    this.#drawArtifact('Layout', () => this.#pdf.rect(x, y, width, heightOf(lines)).fill(color))
  }

  #drawLeader({ line, from, to }: NonNullable<Block['leader']>, { lines, y }: Fragment): void {
    if (to <= from) return
    const above = heightOf(lines.slice(0, lines.indexOf(line)))
    const baseline = y + above + line.leading * BASELINE
    this.#drawArtifact('Layout', () =>
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

  #drawMeter({ line, share }: NonNullable<Block['meter']>, { block, lines, y }: Fragment): void {
    const top = y + heightOf(lines.slice(0, lines.indexOf(line))) + (line.leading - METER.height) / 2
    const rtl = block.align === 'rtl'
    const x = rtl ? PAGE.side + COLUMN - METER.width : PAGE.side
    const filled = METER.width * Math.min(1, share)
    const radius = METER.height / 2
    this.#drawArtifact('Layout', () => {
      this.#pdf.roundedRect(x, top, METER.width, METER.height, radius).fill(LINE)
      this.#pdf
        .roundedRect(rtl ? x + METER.width - filled : x, top, filled, METER.height, radius)
        .fill(ACCENT)
    })
  }

  /** Artifacts are visible content that screen readers skip. */
  #drawArtifact(type: 'Pagination' | 'Layout', draw: () => void): void {
    this.#pdf.markContent('Artifact', { type })
    draw()
    this.#pdf.endMarkedContent()
  }
}

interface PlacedRun {
  run: PositionedRun
  top: number
}

/** Consecutive runs with the same link, also across lines. */
function groupByLink(lines: readonly Line[], y: number): { link: Link | undefined; runs: PlacedRun[] }[] {
  const groups: { link: Link | undefined; runs: PlacedRun[] }[] = []
  let top = y
  for (const line of lines) {
    for (const run of line.runs) {
      const last = groups.at(-1)
      if (last && last.link === run.link) last.runs.push({ run, top })
      else groups.push({ link: run.link, runs: [{ run, top }] })
    }
    top += line.leading
  }
  return groups
}

type StructureElement = PDFKit.PDFStructureElement

/** The structure tree of a tagged PDF, for screen readers: headings, paragraphs, quotations, lists and links in reading order. */
class StructureTree {
  readonly #pdf: PDFKit.PDFDocument
  readonly #root: StructureElement
  #group: { name: Block['group']; element: StructureElement } | null = null
  /** The elements of the current block. A paragraph on two pages is one element. */
  #current: { outer: StructureElement; inner: StructureElement } | null = null

  constructor(pdf: PDFKit.PDFDocument) {
    this.#pdf = pdf
    this.#root = pdf.struct('Document')
    pdf.addStructure(this.#root)
  }

  elementFor({ block, isFirst }: Fragment): StructureElement {
    if (!isFirst && this.#current) return this.#current.inner
    const [first = 'P', ...others] = block.roles
    const outer = this.child(this.#parentOf(block), first)
    const inner = others.reduce((parent, role) => this.child(parent, role), outer)
    this.#current = { outer, inner }
    return inner
  }

  finish({ isLast }: Fragment): void {
    if (!isLast) return
    this.#current?.outer.end()
    this.#current = null
  }

  child(parent: StructureElement, role: string): StructureElement {
    const element = this.#pdf.struct(role)
    parent.add(element)
    return element
  }

  end(): void {
    this.#group?.element.end()
    this.#root.end()
  }

  #parentOf({ group }: Block): StructureElement {
    if (this.#group?.name !== group) {
      this.#group?.element.end()
      this.#group = group ? { name: group, element: this.child(this.#root, group) } : null
    }
    return this.#group?.element ?? this.#root
  }
}
