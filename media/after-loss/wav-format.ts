import type { WavFormat } from '../split/wav.ts'

const RATES = [8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000]
const WIDTHS = [
  { bytes: 2, isFloat: false },
  { bytes: 3, isFloat: false },
  { bytes: 4, isFloat: true },
]
/** Slices are as long as asked for, to a block of the recorder. */
const MAX_DEVIATION = 0.005
/** The change from one sample to the next, against the loudness: 1.41 for noise and for compressed data, and less for sound. */
const MAX_ROUGHNESS = 0.8
/** As a part of the full scale. Digital silence says nothing about its format. */
const MIN_LOUDNESS = 1e-4
/** Stereo with equal channels, read as mono: every second change is zero, so the other changes are much larger. */
const MAX_IMBALANCE = 1.3
/** The same, with different channels: two samples of one channel differ less than the two channels. */
const MIN_SECOND_CHANGE = 0.8
const MAX_FRAMES = 200_000
const MIN_FRAMES = 1_000

/** The format of samples without a header, and where the first whole frame begins. */
export interface GuessedFormat {
  format: WavFormat
  at: number
}

/**
 * The format of a slice of known length: one with a usual sample rate whose samples are continuous. Null if there is none, or if several
 * are possible.
 */
export function guessWavFormat(bytes: Buffer, seconds: number): GuessedFormat | null {
  const candidates = RATES.flatMap((rate) =>
    WIDTHS.flatMap((width) => [1, 2].map((channels) => ({ ...width, rate, channels }))),
  ).filter(({ rate, bytes: width, channels }) => {
    const expected = rate * width * channels * seconds
    return Math.abs(bytes.length - expected) <= MAX_DEVIATION * expected
  })
  const plausible = candidates.flatMap((format): (GuessedFormat & { roughness: number })[] =>
    Array.from({ length: format.bytes * format.channels }, (_, at) => ({ format, at }))
      .map((one) => ({ ...one, roughness: soundOf(bytes, one).roughness }))
      .filter(({ roughness }) => roughness <= MAX_ROUGHNESS),
  )
  // Every second sample of mono sound is continuous, too, so that stereo counts only where mono is not plausible.
  const mono = plausible.filter(({ format }) => format.channels === 1)
  const [best] = (mono.length > 0 ? mono : plausible).toSorted(
    (one, other) => one.roughness - other.roughness,
  )
  return best ? { format: best.format, at: best.at } : null
}

/**
 * Where the first whole frame begins in samples of a known format; null if no beginning makes them continuous. `isWhole`: the bytes
 * probably begin with a whole frame.
 */
export function firstFrameIn(bytes: Buffer, format: WavFormat, isWhole: boolean): number | null {
  // Exchanged channels sound the same.
  if (format.bytes === 1) return 0
  const soundsAt = (at: number): (Sound & { at: number })[] => {
    const sound = soundOf(bytes, { format, at })
    return sound.roughness <= MAX_ROUGHNESS ? [{ ...sound, at }] : []
  }
  if (isWhole && soundsAt(0).length > 0) return 0
  const sounds = Array.from({ length: format.bytes * format.channels }, (_, at) => soundsAt(at)).flat()
  // Very quiet samples are continuous from their second byte on, too, and 48 dB louder.
  return sounds.toSorted((one, other) => one.loudness - other.loudness)[0]?.at ?? null
}

interface Sound {
  roughness: number
  /** As a part of the full scale. */
  loudness: number
}

const NO_SOUND: Sound = { roughness: Number.POSITIVE_INFINITY, loudness: 0 }

/** The roughness is infinite if the samples are not sound in this format. */
function soundOf(data: Buffer, { format: { bytes, isFloat, channels }, at }: GuessedFormat): Sound {
  const size = bytes * channels
  const frames = Math.min(MAX_FRAMES, Math.floor((data.length - at) / size))
  if (frames < MIN_FRAMES) return NO_SOUND
  const readFloat = (offset: number) => (bytes === 8 ? data.readDoubleLE(offset) : data.readFloatLE(offset))
  const read = (offset: number) =>
    isFloat ? readFloat(offset) : data.readIntLE(offset, bytes) / 2 ** (8 * bytes - 1)
  let [roughness, loudness] = [0, 0]
  for (let channel = 0; channel < channels; channel++) {
    let [sum, square, last, beforeLast, second] = [0, 0, 0, 0, 0]
    const changes = [0, 0]
    for (let frame = 0; frame < frames; frame++) {
      const sample = read(at + frame * size + channel * bytes)
      if (!(Math.abs(sample) <= 1.5)) return NO_SOUND
      sum += sample
      square += sample ** 2
      if (frame > 0) changes[frame % 2] = (changes[frame % 2] ?? 0) + (sample - last) ** 2
      if (frame > 1) second += (sample - beforeLast) ** 2
      beforeLast = last
      last = sample
    }
    const variance = square / frames - (sum / frames) ** 2
    if (!(Math.sqrt(variance) >= MIN_LOUDNESS)) return NO_SOUND
    const [even = 0, odd = 0] = changes
    const isBalanced = Math.max(even, odd) <= MAX_IMBALANCE * Math.min(even, odd)
    if (channels === 1 && !(isBalanced && second >= MIN_SECOND_CHANGE * (even + odd))) return NO_SOUND
    roughness = Math.max(roughness, Math.sqrt((even + odd) / frames / variance))
    loudness = Math.max(loudness, Math.sqrt(variance))
  }
  return { roughness, loudness }
}
