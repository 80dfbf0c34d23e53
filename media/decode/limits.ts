/** Every engine hears this rate. */
export const SAMPLE_RATE = 16_000

/** What decoding a recording is allowed to cost. Beyond any of these it is unreadable; a stall is retried first, as the machine may be why. */
export interface DecodeLimits {
  /** Of decoded audio: a few bytes can claim days of silence. */
  maxSeconds: number
  /** Without a sample while we wait for one. */
  stallMs: number
  /** CPU time without a sample and without reading on: an endless loop, which a retry would enter again. */
  stuckCpuMs: number
  /** Of the decoder's process. */
  maxMemoryMb: number
}

export const DECODE_LIMITS: DecodeLimits = {
  maxSeconds: 6 * 3600,
  stallMs: 30_000,
  stuckCpuMs: 5_000,
  maxMemoryMb: 768,
}

/** Speech takes more than this, whatever codec: AMR 4,750, and Opus is at its end at 6,000. What takes less for long is silence. */
const LEAST_BITS_PER_SECOND = 4_000
/** So long may any file be: ten times and more what a chunk should hold. */
const ALWAYS_SECONDS = 15 * 60

/** How much audio a file of this size may hold: hours of silence in a few bytes would keep everybody else waiting. */
export const mostSeconds = (bytes: number, { maxSeconds }: Pick<DecodeLimits, 'maxSeconds'>): number =>
  Math.min(maxSeconds, Math.max(ALWAYS_SECONDS, (bytes * 8) / LEAST_BITS_PER_SECOND))

/** Outside these a header is damaged or hostile: resampling from 1 Hz would make hours out of a kilobyte. */
export const MIN_SOURCE_RATE = 4_000
export const MAX_SOURCE_RATE = 384_000
export const MAX_CHANNELS = 32
