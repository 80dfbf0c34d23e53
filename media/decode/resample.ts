import { SAMPLE_RATE } from './limits.ts'

/** Zero crossings of the sinc on each side: enough for speech, 60 dB below in the stop band. */
const ZERO_CROSSINGS = 16
/** Share of the narrower Nyquist band that passes, to avoid aliasing. */
const PASS_BAND = 0.92

/** Resamples mono audio of any rate to 16 kHz. The filter keeps its state between calls. */
export interface Resampler {
  push(samples: Float32Array): Float32Array
  /** Returns the samples that the filter still holds. */
  end(): Float32Array
}

export function createResampler(rate: number): Resampler {
  return rate === SAMPLE_RATE
    ? { push: (samples) => samples, end: () => new Float32Array(0) }
    : polyphase(rate)
}

/** Output sample n sits at input position n·down/up. Taps are computed once per fraction; a sinc per sample took seven times as long. */
function polyphase(rate: number): Resampler {
  const divisor = greatestCommonDivisor(rate, SAMPLE_RATE)
  const [up, down] = [SAMPLE_RATE / divisor, rate / divisor]
  const half = Math.ceil(ZERO_CROSSINGS * Math.max(1, rate / SAMPLE_RATE))
  const taps = tapsByPhase(up, half, Math.min(1, SAMPLE_RATE / rate) * PASS_BAND)
  let pending = new Float32Array(half - 1)
  /** The phase of the next output sample, and the first input sample under its filter, in `pending`. */
  let phase = 0
  let offset = 0

  const push = (samples: Float32Array): Float32Array => {
    const input = concatSamples(pending, samples)
    const output = new Float32Array(Math.ceil(((input.length + 1) * up) / down) + 1)
    let count = 0
    while (offset + 2 * half <= input.length) {
      output[count++] = dot(taps[phase] as Float32Array, input, offset)
      phase += down
      offset += Math.floor(phase / up)
      phase %= up
    }
    const used = Math.min(offset, input.length)
    pending = input.slice(used)
    offset -= used
    return output.subarray(0, count)
  }
  return { push, end: () => push(new Float32Array(half)) }
}

function tapsByPhase(up: number, half: number, cutoff: number): Float32Array[] {
  return Array.from({ length: up }, (_, phase) => {
    const taps = Float32Array.from({ length: 2 * half }, (__, index) => {
      const distance = index - (half - 1) - phase / up
      return sinc(distance * cutoff) * window(distance / half)
    })
    const sum = taps.reduce((total, tap) => total + tap, 0)
    return taps.map((tap) => tap / sum)
  })
}

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))

/** Blackman, over -1 to 1. */
const window = (x: number): number =>
  Math.abs(x) >= 1 ? 0 : 0.42 + 0.5 * Math.cos(Math.PI * x) + 0.08 * Math.cos(2 * Math.PI * x)

function dot(taps: Float32Array, input: Float32Array, offset: number): number {
  let sum = 0
  for (let index = 0; index < taps.length; index++)
    sum += (taps[index] as number) * (input[offset + index] as number)
  return sum
}

export function concatSamples(...blocks: Float32Array[]): Float32Array<ArrayBuffer> {
  const all = new Float32Array(blocks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const block of blocks) {
    all.set(block, at)
    at += block.length
  }
  return all
}

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b)
