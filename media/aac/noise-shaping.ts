import type { BitReader } from './bit-reader.ts'
import type { Layout } from './layout.ts'

/** Temporal noise shaping (ISO/IEC 14496-3, 4.6.9): undoes a filter along the spectrum. */
interface SpectralFilter {
  /** How many bands it covers, downwards from where the one before ended. */
  bands: number
  downwards: boolean
  /** Coefficients of the linear prediction, without the first one, which is 1. */
  coefficients: number[]
}

export type WindowFilters = SpectralFilter[]

/** For AAC-LC. Larger values are ignored, as the standard requires. */
const MAX_COEFFICIENTS = { long: 12, short: 7 }

export function readFilters(bits: BitReader, { sequence, groups }: Layout): WindowFilters[] {
  const isShort = sequence === 'short'
  const windows = groups.reduce((sum, count) => sum + count, 0)
  const [countBits, bandBits, orderBits] = isShort ? [1, 4, 3] : [2, 6, 5]
  return Array.from({ length: windows }, () => {
    const count = bits.read(countBits)
    const resolution = count > 0 ? 3 + bits.bit() : 0
    return Array.from({ length: count }, () => {
      const bands = bits.read(bandBits)
      const order = bits.read(orderBits)
      if (order === 0) return { bands, downwards: false, coefficients: [] }
      const downwards = bits.flag()
      const reflections = readReflections(bits, order, resolution)
      const most = MAX_COEFFICIENTS[isShort ? 'short' : 'long']
      return { bands, downwards, coefficients: predictionOf(reflections.slice(0, most)) }
    })
  })
}

/** Each is the quantised sine of an angle; with compression the highest bit is left out. */
function readReflections(bits: BitReader, order: number, resolution: number): number[] {
  const width = resolution - bits.bit()
  return Array.from({ length: order }, () => {
    const raw = bits.read(width)
    const step = raw >= 2 ** (width - 1) ? raw - 2 ** width : raw
    const steps = 2 ** (resolution - 1) + (step >= 0 ? -0.5 : 0.5)
    return Math.sin((step * Math.PI) / 2 / steps)
  })
}

/** Converts the coefficients of a lattice filter to those of a direct filter. */
function predictionOf(reflections: number[]): number[] {
  let prediction: number[] = []
  for (const reflection of reflections) {
    const mirrored = prediction.toReversed()
    prediction = prediction.map((value, index) => value + reflection * (mirrored[index] as number))
    prediction.push(reflection)
  }
  return prediction
}

export function applyFilters(lines: Float32Array, layout: Layout, filters: WindowFilters[]): void {
  const { bands, sentBands, windowLines } = layout
  const lineOf = (band: number): number =>
    bands.starts[Math.min(band, bands.mostFiltered, sentBands)] as number
  for (const [window, ofWindow] of filters.entries()) {
    let top = bands.count
    for (const filter of ofWindow) {
      const bottom = Math.max(0, top - filter.bands)
      const [from, to] = [lineOf(bottom), lineOf(top)].map((line) => window * windowLines + line)
      applyFilter(lines, from as number, to as number, filter)
      top = bottom
    }
  }
}

function applyFilter(
  lines: Float32Array,
  from: number,
  to: number,
  { downwards, coefficients }: SpectralFilter,
): void {
  const [first, direction] = downwards ? [to - 1, -1] : [from, 1]
  for (let done = 0; done < to - from; done++) {
    const at = first + direction * done
    let value = lines[at] as number
    for (let back = 1; back <= Math.min(done, coefficients.length); back++)
      value -= (coefficients[back - 1] as number) * (lines[at - direction * back] as number)
    lines[at] = value
  }
}
