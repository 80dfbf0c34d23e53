import type { ChannelStream } from './channel-stream.ts'
import { INTENSITY, INTENSITY_OPPOSED, NOISE } from './codebooks.ts'
import { forEachBand, type Layout } from './layout.ts'

/** By group and band: whether the channels are encoded as sum and difference. */
export type SumMask = boolean[][]

export const sumMask = ({ groups, sentBands }: Layout, of: () => boolean): SumMask =>
  groups.map(() => Array.from({ length: sentBands }, of))

/** Undoes mid/side and intensity stereo. */
export function separate(left: ChannelStream, right: ChannelStream, mask: SumMask): void {
  forEachBand(right.layout, ({ group, band, from, to }) => {
    const isSum = mask[group]?.[band] === true
    const [leftBook, rightBook] = [left.books[group]?.[band] ?? 0, right.books[group]?.[band] ?? 0]
    if (rightBook === INTENSITY || rightBook === INTENSITY_OPPOSED) {
      const sign = (rightBook === INTENSITY) === isSum ? -1 : 1
      place(left.spectrum, right.spectrum, from, to, sign * 2 ** (-(right.factors[group]?.[band] ?? 0) / 4))
    } else if (isSum && leftBook !== NOISE && rightBook !== NOISE)
      untangle(left.spectrum, right.spectrum, from, to)
  })
}

function place(left: Float32Array, right: Float32Array, from: number, to: number, scale: number): void {
  for (let line = from; line < to; line++) right[line] = (left[line] as number) * scale
}

function untangle(left: Float32Array, right: Float32Array, from: number, to: number): void {
  for (let line = from; line < to; line++) {
    const sum = left[line] as number
    const difference = right[line] as number
    left[line] = sum + difference
    right[line] = sum - difference
  }
}
