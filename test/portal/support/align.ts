import { RATE } from './speech.ts'

const HOP = RATE / 100

/** The loudness every 10 ms, which survives the codec and the automatic gain of a microphone. */
function envelope(samples: Float32Array): Float32Array {
  return Float32Array.from({ length: Math.floor(samples.length / HOP) }, (_, index) => {
    let sum = 0
    for (const value of samples.subarray(index * HOP, (index + 1) * HOP)) sum += value * value
    return Math.log10(Math.sqrt(sum / HOP) + 1e-4)
  })
}

/** The sums of all values, and of their squares, before each position. */
interface RunningSums {
  sums: Float64Array
  squares: Float64Array
}

function runningSums(values: Float32Array): RunningSums {
  const sums = new Float64Array(values.length + 1)
  const squares = new Float64Array(values.length + 1)
  for (const [index, value] of values.entries()) {
    sums[index + 1] = (sums[index] as number) + value
    squares[index + 1] = (squares[index] as number) + value * value
  }
  return { sums, squares }
}

/** Pearson's correlation of a stretch with every stretch of the same length in `whole`. */
function correlations(stretch: Float32Array, whole: Float32Array, running: RunningSums): Float64Array {
  const { length } = stretch
  const own = runningSums(stretch)
  const [sum, square] = [own.sums[length] as number, own.squares[length] as number]
  const spread = square - (sum * sum) / length
  return Float64Array.from({ length: Math.max(0, whole.length - length + 1) }, (_, lag) => {
    const over = (all: Float64Array): number => (all[lag + length] as number) - (all[lag] as number)
    const otherSum = over(running.sums)
    const otherSpread = over(running.squares) - (otherSum * otherSum) / length
    let product = 0
    for (let index = 0; index < length; index++)
      product += (stretch[index] as number) * (whole[lag + index] as number)
    const shared = product - (sum * otherSum) / length
    return spread <= 0 || otherSpread <= 0 ? 0 : shared / Math.sqrt(spread * otherSpread)
  })
}

interface Alignment {
  /** Where the stretch begins in what was stored, in seconds. */
  at: number
  /** How far into the played file that is, in seconds. */
  offset: number
  correlation: number
}

/** For each stretch of five seconds of the stored audio, and for its last one, which part of the played file it is most like. */
function align(stored: Float32Array, played: Float32Array): Alignment[] {
  const [have, want] = [envelope(stored), envelope(played)]
  const size = 500
  const running = runningSums(want)
  const found: Alignment[] = []
  for (let next = 0; next < have.length; next += size) {
    const at = Math.max(0, Math.min(next, have.length - size))
    let best = { lag: 0, value: -1 }
    for (const [lag, value] of correlations(have.subarray(at, at + size), want, running).entries())
      if (value > best.value) best = { lag, value }
    found.push({ at: at / 100, offset: (best.lag - at) / 100, correlation: best.value })
  }
  return found
}

/** Speech without another stretch like it has at least this; wrong matches stay below. */
const MIN_CORRELATION = 0.7
const MAX_SHIFT_SECONDS = 0.1

interface Comparison {
  /** How far into the played file the recorder began, in seconds. */
  begin: number
  /** Missing, doubled or swapped parts, which shift what follows. Empty if there are none. */
  differences: string[]
}

/** Compares the stored audio with the file that the microphone played. */
export function compare(stored: Float32Array, played: Float32Array): Comparison {
  const found = align(stored, played)
  const begin = found[0]?.offset ?? 0
  const differences = found.flatMap(({ at, offset, correlation: likeness }) => [
    ...(likeness < MIN_CORRELATION ? [`at ${at} s the correlation is ${likeness.toFixed(2)}`] : []),
    ...(Math.abs(offset - begin) > MAX_SHIFT_SECONDS
      ? [`at ${at} s the audio is shifted by ${(offset - begin).toFixed(2)} s`]
      : []),
  ])
  return { begin, differences }
}

/** Where the stored audio departs from a file that the microphone played again and again. Empty if it does not. */
export function shiftsOf(stored: Float32Array, looped: Float32Array): string[] {
  const twice = new Float32Array(2 * looped.length)
  twice.set(looped)
  twice.set(looped, looped.length)
  const length = looped.length / RATE
  const found = align(stored, twice)
  return found.slice(1).flatMap(({ at, offset }, index) => {
    const before = found[index]?.offset ?? 0
    const turn = (((offset - before + length / 2) % length) + length) % length
    const shift = turn - length / 2
    return Math.abs(shift) > MAX_SHIFT_SECONDS
      ? [`at ${at} s the audio is shifted by ${shift.toFixed(2)} s`]
      : []
  })
}
