import { BadFrame, type BitReader } from './bit-reader.ts'
import { CODEBOOKS, type Codebook, NOISE } from './codebooks.ts'
import { readSymbol } from './huffman.ts'
import { FRAME, forEachBand, type Layout } from './layout.ts'

/** Pulses: values that are added to single lines. */
export interface Pulse {
  line: number
  height: number
}

/** The scale factor for 1. */
const EVEN = 100

/** The dequantised lines of all windows, window by window. */
export function readSpectrum(
  bits: BitReader,
  layout: Layout,
  books: number[][],
  factors: number[][],
  pulses: Pulse[],
): Float32Array {
  const lines = new Float32Array(FRAME)
  forEachBand(layout, ({ group, band, from, to }) => {
    const book = books[group]?.[band] ?? 0
    const codebook = CODEBOOKS[book]
    if (codebook) readLines(bits, codebook, lines, from, to)
  })
  for (const { line, height } of pulses) lines[line] = raised(lines[line] as number, height)
  const random = createRandom(bits.position)
  forEachBand(layout, ({ group, band, from, to }) => {
    const factor = factors[group]?.[band] ?? 0
    if (books[group]?.[band] === NOISE) makeNoise(lines, from, to, 2 ** (factor / 4), random)
    else expand(lines, from, to, 2 ** ((factor - EVEN) / 4))
  })
  return lines
}

function readLines(bits: BitReader, book: Codebook, lines: Float32Array, from: number, to: number): void {
  for (let line = from; line < to; line += book.size) {
    splitSymbol(readSymbol(book.code, bits), book, lines, line)
    if (book.middle > 0) continue
    for (let at = line; at < line + book.size; at++)
      if (lines[at] !== 0 && bits.flag()) lines[at] = -(lines[at] as number)
    if (book.escape === null) continue
    for (let at = line; at < line + book.size; at++)
      if (Math.abs(lines[at] as number) === book.escape) lines[at] = readEscaped(bits, lines[at] as number)
  }
}

function splitSymbol(
  symbol: number,
  { size, base, middle }: Codebook,
  lines: Float32Array,
  at: number,
): void {
  let rest = symbol
  for (let place = at + size - 1; place >= at; place--) {
    lines[place] = (rest % base) - middle
    rest = Math.floor(rest / base)
  }
}

const MAX_ESCAPE_BITS = 12

/** Ones and a zero give the number of bits that follow. */
function readEscaped(bits: BitReader, marked: number): number {
  let count = 4
  while (bits.flag()) count++
  if (count > MAX_ESCAPE_BITS) throw new BadFrame('a value that is too large')
  return Math.sign(marked) * (2 ** count + bits.read(count))
}

const raised = (value: number, height: number): number => (value > 0 ? value + height : value - height)

/** Values are encoded to the power of 3/4. */
function expand(lines: Float32Array, from: number, to: number, scale: number): void {
  for (let line = from; line < to; line++) {
    const value = lines[line] as number
    if (value !== 0) lines[line] = Math.sign(value) * Math.abs(value) ** (4 / 3) * scale
  }
}

/** Only the energy of noise is encoded. Channels can share the same noise; here each has its own, which does not affect transcription. */
function makeNoise(
  lines: Float32Array,
  from: number,
  to: number,
  loudness: number,
  random: () => number,
): void {
  let energy = 0
  for (let line = from; line < to; line++) {
    const value = random()
    lines[line] = value
    energy += value * value
  }
  const scale = loudness / Math.sqrt(energy || 1)
  for (let line = from; line < to; line++) lines[line] = (lines[line] as number) * scale
}

/** Between -1 and 1. Seeded by the frame, so that the result does not depend on where decoding begins. */
function createRandom(start: number): () => number {
  let state = Math.imul(start, 2_654_435_761)
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return state / 2 ** 31
  }
}
