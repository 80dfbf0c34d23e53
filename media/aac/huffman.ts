import { BadFrame, type BitReader } from './bit-reader.ts'

/** A canonical prefix code: codewords are ordered by length. */
export interface Code {
  /** The number of codewords of each length. */
  counts: number[]
  /** In the order of the codewords. */
  symbols: number[]
}

export const canonicalCode = (counts: string, symbols: string): Code => ({
  counts: numbersOf(counts),
  symbols: numbersOf(symbols),
})

const numbersOf = (text: string): number[] => text.trim().split(/\s+/).map(Number)

/** Reads the next symbol. */
export function readSymbol({ counts, symbols }: Code, bits: BitReader): number {
  let word = 0
  let first = 0
  let before = 0
  for (let length = 0; length < counts.length; length++) {
    const count = counts[length] as number
    word = 2 * word + bits.bit()
    if (word - first < count) return symbols[before + word - first] as number
    before += count
    first = 2 * (first + count)
  }
  throw new BadFrame('a word that is in no codebook')
}
