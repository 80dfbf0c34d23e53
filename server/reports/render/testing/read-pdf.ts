import { inflateSync } from 'node:zlib'
import { PdfDictionary, PdfParser, type PdfValue } from './pdf-objects.ts'

/** A PDF file by its cross-reference table; shares no line with what wrote it. */
export class PdfFile {
  readonly #text: string
  readonly offsets: number[]
  readonly trailer: PdfDictionary

  constructor(bytes: Buffer) {
    this.#text = bytes.toString('latin1')
    const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(this.#text)?.[1])
    const table = this.#text.slice(start, this.#text.indexOf('trailer', start)).split('\n')
    if (table[0] !== 'xref') throw new Error('startxref leads to no table')
    this.offsets = table.slice(2, -1).map((line) => Number(line.slice(0, 10)))
    this.trailer = dictionary(new PdfParser(this.#text, this.#text.indexOf('trailer', start) + 7).value())
  }

  object(id: number): PdfValue {
    return this.#open(id).value()
  }

  stream(id: number): string {
    const parser = this.#open(id)
    const head = dictionary(parser.value())
    const start = this.#text.indexOf('stream\n', parser.at) + 7
    const bytes = Buffer.from(this.#text.slice(start, start + Number(head.get('Length'))), 'latin1')
    return (head.get('Filter') === '/FlateDecode' ? inflateSync(bytes) : bytes).toString('latin1')
  }

  #open(id: number): PdfParser {
    const offset = this.offsets[id] ?? -1
    const head = `${id} 0 obj\n`
    if (!this.#text.startsWith(head, offset)) throw new Error(`object ${id} is not at ${offset}`)
    return new PdfParser(this.#text, offset + head.length)
  }

  /** What a path of keys leads to, through references. */
  get(from: PdfValue | undefined, ...path: string[]): PdfValue | undefined {
    const value = typeof from === 'object' && from && 'ref' in from ? this.object(from.ref) : from
    const [key, ...rest] = path
    return key === undefined ? value : this.get(dictionary(value).get(key), ...rest)
  }

  list = (from: PdfValue | undefined, ...path: string[]): PdfValue[] =>
    (this.get(from, ...path) ?? []) as PdfValue[]

  get root(): PdfDictionary {
    return dictionary(this.get(this.trailer, 'Root'))
  }

  get pages(): PdfPage[] {
    return this.list(this.root, 'Pages', 'Kids').map((page) => new PdfPage(this, page))
  }
}

export interface Annotation {
  uri: string | null
  /** The page that it leads to, from 0; null of a URI. */
  page: number | null
  contents: string
}

export class PdfPage {
  readonly #file: PdfFile
  readonly id: number
  readonly #page: PdfDictionary

  constructor(file: PdfFile, page: PdfValue) {
    this.#file = file
    this.id = idOf(page)
    this.#page = dictionary(file.get(page))
  }

  get annotations(): Annotation[] {
    return this.#file.list(this.#page, 'Annots').map((annotation) => ({
      uri: (this.#file.get(annotation, 'A', 'URI') as string) ?? null,
      page: this.#leadsTo(this.#file.get(annotation, 'A', 'D')),
      contents: this.#file.get(annotation, 'Contents') as string,
    }))
  }

  #leadsTo(name: PdfValue | undefined): number | null {
    if (name === undefined) return null
    const names = this.#file.list(this.#file.root, 'Names', 'Dests', 'Names')
    const [page] = names[names.indexOf(name) + 1] as PdfValue[]
    return this.#file.pages.findIndex(({ id }) => id === idOf(page))
  }

  /** Texts as they were drawn, each with the glyphs' numbers. */
  get texts(): { text: string; glyphs: number[] }[] {
    const found: { text: string; glyphs: number[] }[] = []
    const parser = new PdfParser(this.#file.stream(idOf(this.#page.get('Contents'))))
    let unicode: string[] = []
    const operands: PdfValue[] = []
    for (let one = parser.next(); one !== undefined; one = parser.next()) {
      if (typeof one !== 'object' || one === null || !('operator' in one)) operands.push(one)
      else {
        if (one.operator === 'BT') found.push({ text: '', glyphs: [] })
        if (one.operator === 'Tf') unicode = this.#unicodeOf(operands.at(-2) as string)
        if (one.operator === 'TJ') show(operands.at(-1) as PdfValue[], unicode, found.at(-1))
        operands.length = 0
      }
    }
    return found
  }

  get text(): string {
    return this.texts.map(({ text }) => text).join('\n')
  }

  #unicodeOf(font: string): string[] {
    const map = this.#file.get(this.#page, 'Resources', 'Font', font.slice(1))
    const cmap = this.#file.stream(idOf(dictionary(map).get('ToUnicode')))
    return [...cmap.matchAll(/<\w+> <\w+> \[([^\]]*)\]/g)]
      .flatMap(([, codes = '']) => codes.match(/<[^>]*>/g) ?? [])
      .map((hex) => Buffer.from(hex.replaceAll(/[<> ]/g, ''), 'hex').swap16().toString('utf16le'))
  }
}

function show(shown: PdfValue[], unicode: string[], into?: { text: string; glyphs: number[] }): void {
  for (const part of shown) {
    if (!(part instanceof Uint8Array) || !into) continue
    for (let at = 0; at < part.length; at += 2) {
      const glyph = Buffer.from(part).readUInt16BE(at)
      into.glyphs.push(glyph)
      into.text += unicode[glyph] ?? ''
    }
  }
}

function dictionary(value: PdfValue | undefined): PdfDictionary {
  if (!(value instanceof PdfDictionary)) throw new Error('no dictionary')
  return value
}

function idOf(value: PdfValue | undefined): number {
  if (typeof value !== 'object' || !value || !('ref' in value)) throw new Error('no reference')
  return value.ref
}
