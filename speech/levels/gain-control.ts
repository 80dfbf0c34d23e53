import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import { decibelsOf, powerOf } from './power.ts'

/** A frame as it was recorded, and as loud as the voice activity detection needs it. */
export interface LevelledFrame {
  samples: Float32Array
  levelled: Float32Array
}

/** The voice activity detection finds all speech at this level (dB below full scale); from -48 dB on it loses words. Louder speech stays as it is. */
const TARGET = -36
/** More would amplify the rounding of 16-bit audio. */
const MAX_GAIN = 36
/** Noise is amplified to at most this level. */
const MAX_NOISE = -45
/** A single frame does not get louder than this: the end of a loud word before a quiet one. */
const MAX_FRAME = TARGET + 6
/** Frames with this many times the power of the noise floor count as sound: 6 dB. */
const ABOVE_FLOOR = 4
/** The power of the noise floor of digital silence: the rounding of 16-bit audio. */
const QUIETEST = 10 ** -10
/** Fewer frames of sound than this are a click. */
const MIN_FRAMES = 4
/** At the end of a slice, the next second is not known yet: fewer frames than this (half a second) can be the end of a loud word. */
const MIN_FRAMES_AT_END = 16
/** The noise floor is the level that this share of the frames is below, of a stretch of these seconds. */
const FLOOR_SHARE = 0.03
const FLOOR_SECONDS = 10
/** The level of a voice is measured over this time before and after a frame. */
const REACH_SECONDS = 1

/**
 * Amplifies faint speech for the voice activity detection, frame by frame: after a loud voice, it misses one that is 30 dB quieter. The
 * gain of a frame depends on the second before and the second after it. The quieter of the two decides, so that the first word of a
 * quiet voice is amplified, too.
 */
export class GainControl {
  private readonly reach: number
  private readonly memory: number
  /** The power of the frames so far, as many as are needed. Those of the waiting frames are the last ones. */
  private powers: number[] = []
  private waiting: Float32Array[] = []
  /** The gain of the frame before, in dB. */
  private gain = 0

  constructor(frameLength: number) {
    this.reach = Math.round((REACH_SECONDS * SAMPLE_RATE) / frameLength)
    this.memory = Math.round((FLOOR_SECONDS * SAMPLE_RATE) / frameLength)
  }

  /** Returns the frame of which the second after it is known now. */
  add(samples: Float32Array): LevelledFrame | null {
    this.waiting.push(samples)
    this.powers.push(powerOf(samples))
    return this.waiting.length > this.reach ? this.next() : null
  }

  /** The frames that still wait, in order. Their gain depends on the audio so far. */
  *flush(): Generator<LevelledFrame> {
    for (let frame = this.next(); frame; frame = this.next()) yield frame
  }

  private next(): LevelledFrame | null {
    const samples = this.waiting.shift()
    if (!samples) return null
    const at = this.powers.length - this.waiting.length - 1
    const before = this.gain
    this.gain = this.gainAt(at)
    if (at > this.memory) this.powers.splice(0, at - this.memory)
    return { samples, levelled: amplified(samples, before, this.gain) }
  }

  private gainAt(at: number): number {
    const room = MAX_FRAME - decibelsOf(this.powers[at] as number)
    if (room <= 0) return 0
    const first = Math.max(0, at - this.reach)
    const end = Math.min(this.powers.length, at + this.reach + 1)
    const floor = floorOf(this.powers.slice(Math.max(0, at - this.memory), end))
    const minAfter = end - at > this.reach ? MIN_FRAMES : MIN_FRAMES_AT_END
    const level = Math.min(
      this.levelBetween(first, at + 1, { floor, minFrames: MIN_FRAMES }),
      this.levelBetween(at, end, { floor, minFrames: minAfter }),
    )
    return Math.max(0, Math.min(room, TARGET - level, MAX_GAIN, MAX_NOISE - decibelsOf(floor)))
  }

  /** In dB, of the frames with sound; infinite if there are too few. */
  private levelBetween(
    from: number,
    to: number,
    { floor, minFrames }: { floor: number; minFrames: number },
  ): number {
    let count = 0
    let sum = 0
    for (let at = from; at < to; at++) {
      const power = this.powers[at] as number
      if (power < floor * ABOVE_FLOOR) continue
      count++
      sum += power
    }
    return count < minFrames ? Number.POSITIVE_INFINITY : decibelsOf(sum / count)
  }
}

function floorOf(powers: readonly number[]): number {
  const sorted = Float64Array.from(powers).sort()
  return Math.max(sorted[Math.floor((sorted.length - 1) * FLOOR_SHARE)] as number, QUIETEST)
}

/** The gain changes gradually from one frame to the next. */
function amplified(samples: Float32Array, from: number, to: number): Float32Array {
  if (from === 0 && to === 0) return samples
  const factor = 10 ** (from / 20)
  const step = (10 ** (to / 20) - factor) / samples.length
  const louder = samples.slice()
  for (let n = 0; n < louder.length; n++) louder[n] = (louder[n] as number) * (factor + step * (n + 1))
  return louder
}
