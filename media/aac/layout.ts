import { type Bands, LONG_BANDS, SHORT_BANDS } from './bands.ts'
import { BadFrame, type BitReader } from './bit-reader.ts'

/** Lines of a frame's spectrum, and samples per frame. */
export const FRAME = 1_024
const SHORT_WINDOWS = 8

/** `start` and `stop` are the transitions from long windows to eight short ones, and back. */
type WindowSequence = 'long' | 'start' | 'short' | 'stop'
const SEQUENCES: readonly WindowSequence[] = ['long', 'start', 'short', 'stop']
export type WindowShape = 'sine' | 'kaiser'

/** How a channel's frame is divided: into windows, those into groups that share scale factors, and their lines into bands. */
export interface Layout {
  sequence: WindowSequence
  shape: WindowShape
  bands: Bands
  /** The number of bands in the stream; bands above are empty. */
  sentBands: number
  /** How many windows are in each group. */
  groups: number[]
  windowLines: number
}

export function readLayout(bits: BitReader, rateIndex: number): Layout {
  bits.skip(1)
  const sequence = SEQUENCES[bits.read(2)] as WindowSequence
  const shape = bits.flag() ? 'kaiser' : 'sine'
  const isShort = sequence === 'short'
  const bands = (isShort ? SHORT_BANDS : LONG_BANDS)[rateIndex] as Bands
  const sentBands = bits.read(isShort ? 4 : 6)
  if (sentBands > bands.count) throw new BadFrame('too many bands')
  const groups = isShort ? readGroups(bits) : [1]
  if (!isShort && bits.flag()) throw new BadFrame('prediction')
  return { sequence, shape, bands, sentBands, groups, windowLines: isShort ? FRAME / SHORT_WINDOWS : FRAME }
}

/** A bit for each window but the first: whether it is in the same group as the one before. */
function readGroups(bits: BitReader): number[] {
  const groups = [1]
  for (let window = 1; window < SHORT_WINDOWS; window++) {
    if (bits.flag()) groups.push((groups.pop() as number) + 1)
    else groups.push(1)
  }
  return groups
}

interface PlaceOfBand {
  group: number
  band: number
  /** Lines, over all windows. */
  from: number
  to: number
}

/** In the order of the bit stream: by group, band and window. */
export function forEachBand(layout: Layout, visit: (place: PlaceOfBand) => void): void {
  const { groups, bands, sentBands, windowLines } = layout
  let firstWindow = 0
  for (const [group, windows] of groups.entries()) {
    for (let band = 0; band < sentBands; band++)
      for (let window = firstWindow; window < firstWindow + windows; window++) {
        const offset = window * windowLines
        const [from, to] = [bands.starts[band] as number, bands.starts[band + 1] as number]
        visit({ group, band, from: offset + from, to: offset + to })
      }
    firstWindow += windows
  }
}
