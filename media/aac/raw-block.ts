import { MAX_CHANNELS } from '../decode/limits.ts'
import { BadFrame, type BitReader } from './bit-reader.ts'
import { type ChannelStream, readChannelStream } from './channel-stream.ts'
import { type Layout, readLayout } from './layout.ts'
import { applyFilters } from './noise-shaping.ts'
import { type SumMask, separate, sumMask } from './stereo.ts'

const ELEMENTS = ['single', 'pair', 'coupling', 'low', 'data', 'program', 'fill', 'end'] as const

/** A raw_data_block (ISO/IEC 14496-3, 4.4.2.1): the channels of one frame, in their order in the stream. */
export function readRawBlock(bits: BitReader, rateIndex: number): ChannelStream[] {
  const channels: ChannelStream[] = []
  while (channels.length <= MAX_CHANNELS) {
    switch (ELEMENTS[bits.read(3)]) {
      case 'single':
      case 'low':
        channels.push(readSingle(bits, rateIndex))
        break
      case 'pair':
        channels.push(...readPair(bits, rateIndex))
        break
      case 'coupling':
        throw new BadFrame('a coupling channel')
      case 'data':
        skipData(bits)
        break
      case 'program':
        skipProgram(bits)
        break
      case 'fill':
        skipFill(bits)
        break
      default:
        return channels.map(shaped)
    }
  }
  throw new BadFrame('too many channels')
}

const TAG_BITS = 4

/** A full-scale line has about 2²⁵. Values beyond this are damage, and their sums would overflow. */
const LOUDEST = 2 ** 32

function shaped(channel: ChannelStream): ChannelStream {
  const { spectrum, layout, filters } = channel
  applyFilters(spectrum, layout, filters)
  if (!spectrum.every((line) => Math.abs(line) < LOUDEST))
    throw new BadFrame('a spectral line far above full scale')
  return channel
}

function readSingle(bits: BitReader, rateIndex: number): ChannelStream {
  bits.skip(TAG_BITS)
  return readChannelStream(bits, rateIndex, null)
}

function readPair(bits: BitReader, rateIndex: number): [ChannelStream, ChannelStream] {
  bits.skip(TAG_BITS)
  const layout = bits.flag() ? readLayout(bits, rateIndex) : null
  const mask = layout ? readMask(bits, layout) : []
  const left = readChannelStream(bits, rateIndex, layout)
  const right = readChannelStream(bits, rateIndex, layout)
  separate(left, right, mask)
  return [left, right]
}

/** Whether channels are encoded as sum and difference: in no band, in those whose bit is set, or in all. */
function readMask(bits: BitReader, layout: Layout): SumMask {
  const kind = bits.read(2)
  if (kind === 3) throw new BadFrame('a reserved mask')
  return sumMask(layout, () => (kind === 1 ? bits.flag() : kind === 2))
}

function skipData(bits: BitReader): void {
  bits.skip(TAG_BITS)
  const isAligned = bits.flag()
  const count = bits.read(8)
  const bytes = count === 255 ? count + bits.read(8) : count
  if (isAligned) bits.align()
  bits.skip(8 * bytes)
}

/** Contains SBR data, among other things. */
function skipFill(bits: BitReader): void {
  const count = bits.read(4)
  bits.skip(8 * (count === 15 ? count + bits.read(8) - 1 : count))
}

/** The channel configuration. The order of the channels does not depend on it. */
function skipProgram(bits: BitReader): void {
  bits.skip(TAG_BITS + 2 + 4)
  const [front, side, back] = [bits.read(4), bits.read(4), bits.read(4)]
  const [low, data, coupling] = [bits.read(2), bits.read(3), bits.read(4)]
  for (const mixdownBits of [4, 4, 3]) if (bits.flag()) bits.skip(mixdownBits)
  bits.skip(5 * (front + side + back + coupling) + 4 * (low + data))
  bits.align()
  bits.skip(8 * bits.read(8))
}
