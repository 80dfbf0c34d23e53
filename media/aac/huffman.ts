import { BadFrame, type BitReader } from './bit-reader.ts'

/** A canonical prefix code: words of one length follow each other, and those of the next length follow them. */
export interface Code {
  /** By their length: how many words there are. */
  counts: number[]
  /** In the order of the words. */
  symbols: number[]
}

export const canonicalCode = (counts: string, symbols: string): Code => ({
  counts: numbersOf(counts),
  symbols: numbersOf(symbols),
})

const numbersOf = (text: string): number[] => text.trim().split(/\s+/).map(Number)

/** The symbol of the word that comes next. */
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
