import { BadFrame, type BitReader } from './bit-reader.ts'
import { INTENSITY, INTENSITY_OPPOSED, NOISE, RESERVED_BOOK, SCALE_FACTORS } from './codebooks.ts'
import { readSymbol } from './huffman.ts'
import { FRAME, type Layout, readLayout } from './layout.ts'
import { readFilters, type WindowFilters } from './noise-shaping.ts'
import { type Pulse, readSpectrum } from './spectrum.ts'

/** One channel's frame, before it is dequantised. */
export interface ChannelStream {
  layout: Layout
  /** The number of the codebook, by group and band. */
  books: number[][]
  /** The scale factor, by group and band. For noise it is an energy, for intensity stereo a position. */
  factors: number[][]
  /** By window. */
  filters: WindowFilters[]
  spectrum: Float32Array
}

/** An individual_channel_stream (ISO/IEC 14496-3, 4.4.2.7). The layout is given where two channels share it. */
export function readChannelStream(bits: BitReader, rateIndex: number, shared: Layout | null): ChannelStream {
  const gain = bits.read(8)
  const layout = shared ?? readLayout(bits, rateIndex)
  const books = readBooks(bits, layout)
  const factors = readFactors(bits, gain, books)
  const pulses = bits.flag() ? readPulses(bits, layout) : []
  const filters = bits.flag() ? readFilters(bits, layout) : []
  if (bits.flag()) throw new BadFrame('gain control')
  const spectrum = readSpectrum(bits, layout, books, factors, pulses)
  return { layout, books, factors, filters, spectrum }
}

/** Adjacent bands with the same codebook form a section. */
function readBooks(bits: BitReader, { groups, sentBands, sequence }: Layout): number[][] {
  const lengthBits = sequence === 'short' ? 3 : 5
  return groups.map(() => {
    const books: number[] = []
    while (books.length < sentBands) {
      const book = bits.read(4)
      if (book === RESERVED_BOOK) throw new BadFrame('a reserved codebook')
      const length = readSectionLength(bits, lengthBits)
      if (books.length + length > sentBands) throw new BadFrame('a section that is too long')
      for (let band = 0; band < length; band++) books.push(book)
    }
    return books
  })
}

/** The highest value means that another number follows. */
function readSectionLength(bits: BitReader, lengthBits: number): number {
  const more = 2 ** lengthBits - 1
  let length = 0
  for (let part = more; part === more; length += part) part = bits.read(lengthBits)
  return length
}

const MIDDLE = 60
const NOISE_BELOW_GAIN = 90
/** An energy or position beyond these is damage, and would overflow. */
const MOST = 155
const LEAST = -155

/** Each is encoded as the difference to the previous one of its kind. */
function readFactors(bits: BitReader, gain: number, books: number[][]): number[][] {
  let factor = gain
  let direction = 0
  let loudness = gain - NOISE_BELOW_GAIN
  let isFirstNoise = true
  const difference = (): number => readSymbol(SCALE_FACTORS, bits) - MIDDLE
  const readOne = (book: number): number => {
    if (book === 0) return 0
    if (book === INTENSITY || book === INTENSITY_OPPOSED) {
      direction += difference()
      return within(direction, LEAST, MOST)
    }
    if (book === NOISE) {
      loudness += isFirstNoise ? bits.read(9) - 256 : difference()
      isFirstNoise = false
      return within(loudness, LEAST, MOST)
    }
    factor += difference()
    return within(factor, 0, 255)
  }
  return books.map((group) => group.map(readOne))
}

function within(value: number, least: number, most: number): number {
  if (value < least || value > most) throw new BadFrame('a scale factor out of range')
  return value
}

function readPulses(bits: BitReader, { sequence, bands }: Layout): Pulse[] {
  if (sequence === 'short') throw new BadFrame('pulses in short windows')
  const count = bits.read(2) + 1
  let line = bands.starts[bits.read(6)] ?? Number.NaN
  return Array.from({ length: count }, () => {
    line += bits.read(5)
    if (!(line < FRAME)) throw new BadFrame('a pulse outside of the spectrum')
    return { line, height: bits.read(4) }
  })
}
