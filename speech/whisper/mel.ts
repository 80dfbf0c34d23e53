import { powerSpectrum } from './fourier.ts'

/** Whisper processes 30 s in steps of 10 ms and 80 bands. */
export const MEL_FRAMES = 3000
export const MEL_BANDS = 80
const HOP = 160
const WINDOW = 400
const HANN = Float64Array.from({ length: WINDOW }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / WINDOW))
const FLOOR = 1e-10

const LOG_STEP = Math.log(6.4) / 27

const melOf = (hertz: number): number =>
  hertz < 1000 ? (3 * hertz) / 200 : 15 + Math.log(hertz / 1000) / LOG_STEP

const hertzOf = (mel: number): number => (mel < 15 ? (200 * mel) / 3 : 1000 * Math.exp(LOG_STEP * (mel - 15)))

/** One band: the weights of the frequency bins from `first` on. */
interface Filter {
  first: number
  weights: number[]
}

/** Triangles of equal area on Slaney's mel scale: linear up to 1 kHz, logarithmic above. */
function melFilters(bands: number, bins: number): Filter[] {
  const top = melOf(8000)
  const edges = Array.from({ length: bands + 2 }, (_, index) => hertzOf((top * index) / (bands + 1)))
  return Array.from({ length: bands }, (_, band) => {
    const [low, centre, high] = edges.slice(band, band + 3) as [number, number, number]
    const weights = Array.from({ length: bins }, (__, bin) => {
      const hertz = (bin * 8000) / (bins - 1)
      const height = Math.min((hertz - low) / (centre - low), (high - hertz) / (high - centre))
      return (Math.max(0, height) * 2) / (high - low)
    })
    const first = Math.max(
      0,
      weights.findIndex((weight) => weight > 0),
    )
    return { first, weights: weights.slice(first, weights.findLastIndex((weight) => weight > 0) + 1) }
  })
}

const FILTERS = melFilters(MEL_BANDS, WINDOW / 2 + 1)

/** The log-mel spectrogram that whisper was trained on, band by band, in `length` steps of 10 ms. */
export function melSpectrogram(samples: Float32Array, length = MEL_FRAMES): Float32Array {
  const mel = new Float32Array(MEL_BANDS * length).fill(Math.log10(FLOOR))
  const frames = Math.min(length, Math.ceil((samples.length + WINDOW / 2) / HOP))
  const windowed = new Float64Array(WINDOW)
  for (let frame = 0; frame < frames; frame++) {
    for (let n = 0; n < WINDOW; n++)
      windowed[n] = sampleAt(samples, frame * HOP + n - WINDOW / 2) * (HANN[n] as number)
    const power = powerSpectrum(windowed)
    FILTERS.forEach((filter, band) => {
      mel[band * length + frame] = Math.log10(Math.max(FLOOR, energyIn(filter, power)))
    })
  }
  return scaled(mel)
}

/** Mirrored at the beginning, as in training; silent after the end. */
const sampleAt = (samples: Float32Array, index: number): number => samples[Math.abs(index)] ?? 0

function scaled(mel: Float32Array): Float32Array {
  const loudest = mel.reduce((max, value) => Math.max(max, value), Number.NEGATIVE_INFINITY)
  return mel.map((value) => (Math.max(value, loudest - 8) + 4) / 4)
}

function energyIn({ first, weights }: Filter, power: Float64Array): number {
  let energy = 0
  for (let index = 0; index < weights.length; index++)
    energy += (weights[index] as number) * (power[first + index] as number)
  return energy
}
