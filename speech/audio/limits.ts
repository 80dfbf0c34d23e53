/** Every engine hears this rate. */
export const SAMPLE_RATE = 16_000

/** What a recording may ask of a decoder. Past any of these it counts as unreadable. */
export interface DecodeLimits {
  /** Of decoded audio: a few bytes can claim days of silence. */
  maxSeconds: number
  /** Without a sample while we wait for one. */
  stallMs: number
  /** Of the decoder's process. */
  maxMemoryMb: number
}

export const DECODE_LIMITS: DecodeLimits = { maxSeconds: 6 * 3600, stallMs: 30_000, maxMemoryMb: 768 }

/** Outside these a header is damaged or hostile: resampling from 1 Hz would make hours out of a kilobyte. */
export const MIN_SOURCE_RATE = 4_000
export const MAX_SOURCE_RATE = 384_000
export const MAX_CHANNELS = 32
