import { powerSpectrum } from './fourier.ts'
import { energyIn, melFilters } from './mel-filters.ts'

/** Whisper processes 30 s in steps of 10 ms and 80 bands. */
export const MEL_FRAMES = 3000
export const MEL_BANDS = 80
const HOP = 160
const WINDOW = 400
const HANN = Float64Array.from({ length: WINDOW }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / WINDOW))
const FILTERS = melFilters(MEL_BANDS, WINDOW / 2 + 1)
const FLOOR = 1e-10

/** The log-mel spectrogram that whisper was trained on, band by band. */
export function melSpectrogram(samples: Float32Array): Float32Array {
  const mel = new Float32Array(MEL_BANDS * MEL_FRAMES).fill(Math.log10(FLOOR))
  const frames = Math.min(MEL_FRAMES, Math.ceil((samples.length + WINDOW / 2) / HOP))
  const windowed = new Float64Array(WINDOW)
  for (let frame = 0; frame < frames; frame++) {
    for (let n = 0; n < WINDOW; n++)
      windowed[n] = sampleAt(samples, frame * HOP + n - WINDOW / 2) * (HANN[n] as number)
    const power = powerSpectrum(windowed)
    FILTERS.forEach((filter, band) => {
      mel[band * MEL_FRAMES + frame] = Math.log10(Math.max(FLOOR, energyIn(filter, power)))
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
