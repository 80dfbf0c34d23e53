/** Values of a PDF file as a reader of its own sees them: names begin with `/`, references are `{ ref }`. */
export type PdfValue =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | PdfValue[]
  | PdfDictionary
  | PdfReference
interface PdfReference {
  ref: number
}
export class PdfDictionary extends Map<string, PdfValue> {}

const DELIMITED = /[\s<>[\](){}/%]/
const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** Reads one value after another from Latin-1 text. */
export class PdfParser {
  readonly #text: string
  at: number

  constructor(text: string, at = 0) {
    this.#text = text
    this.at = at
  }

  /** Undefined at the end. Operators of content streams come out as `operator`. */
  next(): PdfValue | { operator: string } | undefined {
    this.#skipSpace()
    const sign = this.#text[this.at]
    if (sign === undefined) return undefined
    if (this.#text.startsWith('<<', this.at)) return this.#dictionary()
    if (sign === '<') return this.#hex()
    if (sign === '(') return this.#string()
    if (sign === '[') return this.#array()
    if (sign === '/') return `/${this.#word(1)}`
    return this.#bare()
  }

  value(): PdfValue {
    const value = this.next()
    if (value === undefined || (typeof value === 'object' && value !== null && 'operator' in value))
      throw new Error(`no value at ${this.at}`)
    return value
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text[this.at] ?? '')) this.at++
  }

  #word(skip: number): string {
    const start = this.at + skip
    this.at = start
    while (this.at < this.#text.length && !DELIMITED.test(this.#text[this.at] ?? '')) this.at++
    return this.#text.slice(start, this.at)
  }

  #bare(): PdfValue | { operator: string } {
    const reference = /^(\d+) 0 R\b/.exec(this.#text.slice(this.at, this.at + 20))
    if (reference) {
      this.at += reference[0].length
      return { ref: Number(reference[1]) }
    }
    const word = this.#word(0)
    if (word === '') throw new Error(`unexpected ${this.#text[this.at]} at ${this.at}`)
    if (word === 'true' || word === 'false') return word === 'true'
    if (word === 'null') return null
    return /^[-+.\d]+$/.test(word) ? Number(word) : { operator: word }
  }

  #dictionary(): PdfDictionary {
    this.at += 2
    const entries = new PdfDictionary()
    for (this.#skipSpace(); !this.#text.startsWith('>>', this.at); this.#skipSpace()) {
      const key = this.value()
      if (typeof key !== 'string' || !key.startsWith('/')) throw new Error(`no key at ${this.at}`)
      entries.set(key.slice(1), this.value())
    }
    this.at += 2
    return entries
  }

  #array(): PdfValue[] {
    this.at++
    const values: PdfValue[] = []
    for (this.#skipSpace(); this.#text[this.at] !== ']'; this.#skipSpace()) values.push(this.value())
    this.at++
    return values
  }

  #hex(): Uint8Array {
    const end = this.#text.indexOf('>', this.at)
    const hex = this.#text.slice(this.at + 1, end).replaceAll(/\s/g, '')
    this.at = end + 1
    return Buffer.from(hex, 'hex')
  }

  /** Text, decoded: UTF-16 with its mark, else Latin-1. */
  #string(): string {
    let bytes = ''
    for (this.at++; this.#text[this.at] !== ')'; this.at++) {
      if (this.#text[this.at] === undefined || this.#text[this.at] === '(')
        throw new Error(`bad string at ${this.at}`)
      if (this.#text[this.at] === '\\') this.at++
      const sign = this.#text[this.at] as string
      bytes += this.#text[this.at - 1] === '\\' ? (ESCAPES[sign] ?? sign) : sign
    }
    this.at++
    return bytes.startsWith('\xfe\xff')
      ? Buffer.from(bytes.slice(2), 'latin1').swap16().toString('utf16le')
      : bytes
  }
}
