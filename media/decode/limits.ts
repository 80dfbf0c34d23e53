/** Samples per second that every speech model expects. */
export const SAMPLE_RATE = 16_000

/** A recording that exceeds one of these is unreadable. A stall is retried first, as the machine can be the cause. */
export interface DecodeLimits {
  /** Seconds of decoded audio: a few bytes can claim days of silence. */
  maxSeconds: number
  /** Wall time without a sample while we wait for one. */
  stallMs: number
  /** CPU time without a sample and without reading further: an endless loop, which a retry would enter again. */
  stuckCpuMs: number
  /** Memory of the decoder process. */
  maxMemoryMb: number
}

export const DECODE_LIMITS: DecodeLimits = {
  maxSeconds: 6 * 3600,
  stallMs: 30_000,
  stuckCpuMs: 5_000,
  maxMemoryMb: 768,
}

/** Speech needs more than this in every codec: AMR 4,750, Opus 6,000. A long file below it is silence. */
const MIN_BITS_PER_SECOND = 4_000
/** Allowed for every file: ten times the length of a chunk. */
const ALWAYS_ALLOWED_SECONDS = 15 * 60

/** How much audio a file of this size can hold. Hours of silence in a few bytes would block other recordings. */
export const maxSecondsFor = (bytes: number, { maxSeconds }: Pick<DecodeLimits, 'maxSeconds'>): number =>
  Math.min(maxSeconds, Math.max(ALWAYS_ALLOWED_SECONDS, (bytes * 8) / MIN_BITS_PER_SECOND))

/** Outside these limits a header is damaged or hostile: at 1 Hz a kilobyte would resample to hours. */
export const MIN_SOURCE_RATE = 4_000
export const MAX_SOURCE_RATE = 384_000
export const MAX_CHANNELS = 32
