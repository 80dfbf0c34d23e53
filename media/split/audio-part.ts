import type { Container } from '../containers/container.ts'

/** Part of a recording, or all of it, in a separate file. */
export interface AudioPart {
  path: string
  container: Container
  /** Seconds from the beginning of the recording; below 0 in the pre-roll. */
  start: number
  end: number
}

/** A recording that ends where another begins: its end is transcribed with it. */
export interface PreRollFile {
  path: string
  container: Container
  /** Seconds from the beginning of this file. */
  from: number
}

export interface SplitLimits {
  maxBytes: number
  maxSeconds: number
  /** Seconds; audio before it is left out. */
  from: number
  /** Put before the recording in the first part, if it can be decoded. */
  preRoll?: readonly PreRollFile[]
  signal: AbortSignal
}

/** One channel of samples from -1 to 1. */
export interface Pcm {
  /** Samples per second. */
  rate: number
  samples: AsyncIterable<Float32Array>
}
