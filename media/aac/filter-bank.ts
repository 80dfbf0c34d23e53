import { createImdct } from './imdct.ts'
import { FRAME, type Layout, type WindowShape } from './layout.ts'

const SHORT = FRAME / 8
/** Short windows lie in the middle of a long one. */
const MARGIN = (FRAME - SHORT) / 2

const long = createImdct(FRAME)
const short = createImdct(SHORT)

/** The rising half of each window; the falling one is its mirror. */
const RISES: Record<WindowShape, { long: Float32Array; short: Float32Array }> = {
  sine: { long: sineRise(FRAME), short: sineRise(SHORT) },
  kaiser: { long: kaiserRise(FRAME, 4), short: kaiserRise(SHORT, 6) },
}

function sineRise(length: number): Float32Array {
  return Float32Array.from({ length }, (_, n) => Math.sin((Math.PI * (n + 0.5)) / (2 * length)))
}

/** The Kaiser-Bessel-derived window. */
function kaiserRise(length: number, alpha: number): Float32Array {
  const kaiser = Array.from({ length: length + 1 }, (_, n) =>
    bessel(Math.PI * alpha * Math.sqrt(1 - ((2 * n) / length - 1) ** 2)),
  )
  const total = kaiser.reduce((sum, value) => sum + value, 0)
  let sum = 0
  return Float32Array.from({ length }, (_, n) => {
    sum += kaiser[n] as number
    return Math.sqrt(sum / total)
  })
}

/** The modified Bessel function of the first kind, order 0, by its power series. */
function bessel(x: number): number {
  let sum = 1
  let term = 1
  for (let n = 1; term > sum * 1e-17; n++) {
    term *= (x / 2 / n) ** 2
    sum += term
  }
  return sum
}

/** Converts a channel's spectra to samples. Each frame overlaps with the one before. */
export class FilterBank {
  #overlap = new Float32Array(FRAME)
  #shape: WindowShape = 'sine'

  /** Adds the frame's samples, times `scale`, to `into` from `at` on. */
  synthesize(spectrum: Float32Array, layout: Layout, into: Float32Array, at: number, scale: number): void {
    const frame =
      layout.sequence === 'short' ? this.#shortFrame(spectrum, layout) : this.#longFrame(spectrum, layout)
    for (let n = 0; n < FRAME; n++)
      into[at + n] = (into[at + n] as number) + ((frame[n] as number) + (this.#overlap[n] as number)) * scale
    this.#overlap = frame.slice(FRAME)
    this.#shape = layout.shape
  }

  /** Adds the overlap of the previous frame if no frame follows. */
  end(into: Float32Array, at: number, scale: number): void {
    for (let n = 0; n < FRAME; n++)
      into[at + n] = (into[at + n] as number) + (this.#overlap[n] as number) * scale
    this.#overlap = new Float32Array(FRAME)
  }

  #longFrame(spectrum: Float32Array, { sequence, shape }: Layout): Float32Array {
    const frame = long.transform(spectrum)
    if (sequence === 'stop') {
      frame.fill(0, 0, MARGIN)
      rise(frame, MARGIN, RISES[this.#shape].short)
    } else rise(frame, 0, RISES[this.#shape].long)
    if (sequence === 'start') {
      fall(frame, FRAME + MARGIN, RISES[shape].short)
      frame.fill(0, FRAME + MARGIN + SHORT)
    } else fall(frame, FRAME, RISES[shape].long)
    return frame
  }

  #shortFrame(spectrum: Float32Array, { shape }: Layout): Float32Array {
    const frame = new Float32Array(2 * FRAME)
    for (let window = 0; window < FRAME / SHORT; window++) {
      const samples = short.transform(spectrum.subarray(window * SHORT, (window + 1) * SHORT))
      rise(samples, 0, RISES[window === 0 ? this.#shape : shape].short)
      fall(samples, SHORT, RISES[shape].short)
      const at = MARGIN + window * SHORT
      for (let n = 0; n < 2 * SHORT; n++) frame[at + n] = (frame[at + n] as number) + (samples[n] as number)
    }
    return frame
  }
}

function rise(samples: Float32Array, at: number, window: Float32Array): void {
  for (let n = 0; n < window.length; n++)
    samples[at + n] = (samples[at + n] as number) * (window[n] as number)
}

function fall(samples: Float32Array, at: number, window: Float32Array): void {
  for (let n = 0; n < window.length; n++)
    samples[at + n] = (samples[at + n] as number) * (window[window.length - 1 - n] as number)
}
