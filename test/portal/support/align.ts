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

/** Pearson's correlation of two stretches of the same length. */
function correlation(one: Float32Array, other: Float32Array): number {
  const mean = (all: Float32Array) => all.reduce((sum, value) => sum + value, 0) / all.length
  const [a, b] = [mean(one), mean(other)]
  let [ab, aa, bb] = [0, 0, 0]
  for (let index = 0; index < one.length; index++) {
    const [x, y] = [(one[index] as number) - a, (other[index] as number) - b]
    ab += x * y
    aa += x * x
    bb += y * y
  }
  return aa === 0 || bb === 0 ? 0 : ab / Math.sqrt(aa * bb)
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
  const found: Alignment[] = []
  for (let next = 0; next < have.length; next += size) {
    const at = Math.max(0, Math.min(next, have.length - size))
    const stretch = have.subarray(at, at + size)
    let best = { lag: 0, value: -1 }
    for (let lag = 0; lag + stretch.length <= want.length; lag++) {
      const value = correlation(stretch, want.subarray(lag, lag + stretch.length))
      if (value > best.value) best = { lag, value }
    }
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
