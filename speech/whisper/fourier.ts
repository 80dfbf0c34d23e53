/** 400 = 20 · 20 points: transforms of every 20th sample, then transforms of their results (Cooley and Tukey). */
const SIDE = 20
const SIZE = SIDE * SIDE
const COS = Float64Array.from({ length: SIZE }, (_, n) => Math.cos((2 * Math.PI * n) / SIZE))
const SIN = Float64Array.from({ length: SIZE }, (_, n) => Math.sin((2 * Math.PI * n) / SIZE))
/** Reused between calls: a window has 3,000 spectra. */
const RE = new Float64Array(SIZE)
const IM = new Float64Array(SIZE)

/** The power spectrum of 400 real samples. */
export function powerSpectrum(samples: Float64Array): Float64Array {
  for (let bin = 0; bin < SIDE; bin++)
    for (let column = 0; column < SIDE; column++) transform(samples, bin, column)
  return Float64Array.from({ length: SIZE / 2 + 1 }, (_, bin) => powerOf(bin))
}

/** Every 20th sample from `column` on, turned as its position requires. */
function transform(samples: Float64Array, bin: number, column: number): void {
  let [re, im] = [0, 0]
  for (let index = column; index < SIZE; index += SIDE) {
    const angle = (index * bin) % SIZE
    re += (samples[index] as number) * (COS[angle] as number)
    im -= (samples[index] as number) * (SIN[angle] as number)
  }
  RE[bin * SIDE + column] = re
  IM[bin * SIDE + column] = im
}

function powerOf(bin: number): number {
  const row = (bin % SIDE) * SIDE
  const step = SIDE * Math.floor(bin / SIDE)
  let [re, im] = [0, 0]
  for (let column = 0; column < SIDE; column++) {
    const [a, b] = [RE[row + column] as number, IM[row + column] as number]
    const angle = (column * step) % SIZE
    const [cos, sin] = [COS[angle] as number, SIN[angle] as number]
    re += a * cos + b * sin
    im += b * cos - a * sin
  }
  return re ** 2 + im ** 2
}
