import type { Block } from './blocks.ts'
import type { Fragment } from './paginate.ts'

export type StructureElement = PDFKit.PDFStructureElement

/** The structure tree of a tagged PDF, for screen readers: headings, paragraphs, quotations, lists and links in reading order. */
export class StructureTree {
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
