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
  for (let column = 0; column < SIDE; column++) transform(samples, column)
  const powers = new Float64Array(SIZE / 2 + 1)
  for (let bin = 0; bin < powers.length; bin++) powers[bin] = powerOf(bin)
  return powers
}

/** Every 20th sample from `column` on. Of real samples, the later bins mirror the earlier ones. */
function transform(samples: Float64Array, column: number): void {
  for (let bin = 0; bin <= SIDE / 2; bin++) {
    const step = bin * SIDE
    let re = 0
    let im = 0
    let angle = 0
    for (let index = column; index < SIZE; index += SIDE) {
      const sample = samples[index] as number
      re += sample * (COS[angle] as number)
      im -= sample * (SIN[angle] as number)
      angle = next(angle, step)
    }
    turn(bin, column, re, im)
    if (bin > 0 && bin < SIDE / 2) turn(SIDE - bin, column, re, -im)
  }
}

/** Stores a result, turned as its position requires. */
function turn(bin: number, column: number, re: number, im: number): void {
  const cos = COS[bin * column] as number
  const sin = SIN[bin * column] as number
  RE[bin * SIDE + column] = re * cos + im * sin
  IM[bin * SIDE + column] = im * cos - re * sin
}

function powerOf(bin: number): number {
  const row = (bin % SIDE) * SIDE
  const step = SIDE * Math.floor(bin / SIDE)
  let re = 0
  let im = 0
  let angle = 0
  for (let column = 0; column < SIDE; column++) {
    const a = RE[row + column] as number
    const b = IM[row + column] as number
    const cos = COS[angle] as number
    const sin = SIN[angle] as number
    re += a * cos + b * sin
    im += b * cos - a * sin
    angle = next(angle, step)
  }
  return re * re + im * im
}

/** A division for the remainder would take longer than the rest of the step. */
const next = (angle: number, step: number): number => {
  const sum = angle + step
  return sum < SIZE ? sum : sum - SIZE
}
