/** MP3 and ADTS only have frame headers. One is too short to tell it from noise, so others of the same kind must follow the frame. */
export interface FrameKind {
  /** The length of the frame at `at`, null if there is none. */
  frameBytes(bytes: Uint8Array, at: number): number | null
  /** The bits of a header that are equal in all frames of a stream. */
  mask: readonly number[]
}

/** Whether `count` frames begin at `at`, one after the other. Of the last one, the header is enough. */
export function hasFrames(bytes: Uint8Array, at: number, kind: FrameKind, count: number): boolean {
  let position = at
  for (let frame = 0; frame < count; frame++) {
    const length = kind.frameBytes(bytes, position)
    const isSame = kind.mask.every(
      (bits, index) => (((bytes[at + index] ?? 0) ^ (bytes[position + index] ?? 0)) & bits) === 0,
    )
    if (length === null || !isSame) return false
    position += length
  }
  return true
}

/** In kbit/s, by index; MPEG 1, and MPEG 2 with 2.5. Index 0 ("free") has no length, 15 is forbidden. */
const BITRATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
]
const SAMPLE_RATES = [44_100, 48_000, 32_000]

/** ISO 11172-3: the length of the Layer III frame at `at`, null if there is none. Layers I and II are not MP3. */
function mp3FrameBytes(bytes: Uint8Array, at: number): number | null {
  if (bytes.length < at + 4 || uint24(bytes, at) >> 13 !== 0x7ff) return null
  const [second, third] = [bytes[at + 1] ?? 0, bytes[at + 2] ?? 0]
  const [version, layer] = [(second >> 3) & 0b11, (second >> 1) & 0b11]
  if (version === 0b01 || layer !== 0b01) return null
  const bitrate = BITRATES[version === 0b11 ? 0 : 1]?.[third >> 4]
  const baseRate = SAMPLE_RATES[(third >> 2) & 0b11]
  if (!bitrate || !baseRate) return null
  const sampleRate = version === 0b11 ? baseRate : version === 0b10 ? baseRate / 2 : baseRate / 4
  const bytesPerKilobit = version === 0b11 ? 144_000 : 72_000
  return Math.floor((bytesPerKilobit * bitrate) / sampleRate) + ((third >> 1) & 1)
}

/** ISO 13818-7: the length of the ADTS frame at `at`, null if there is none. */
function adtsFrameBytes(bytes: Uint8Array, at: number): number | null {
  if (bytes.length < at + 7 || uint24(bytes, at) >> 12 !== 0xfff) return null
  const layer = ((bytes[at + 1] ?? 0) >> 1) & 0b11
  const rateIndex = ((bytes[at + 2] ?? 0) >> 2) & 0b1111
  const length = (uint24(bytes, at + 3) >> 5) & 0x1fff
  return layer === 0 && rateIndex < 13 && length > 7 ? length : null
}

export const FRAMES = {
  // Equal in version, layer and sample rate; bit rate, padding and stereo mode can change between frames.
  mp3: { frameBytes: mp3FrameBytes, mask: [0xff, 0xfe, 0x0c] },
  // The whole fixed header: version, profile, sample rate, channels.
  aac: { frameBytes: adtsFrameBytes, mask: [0xff, 0xff, 0xfd, 0xc0] },
} satisfies Record<string, FrameKind>

export const uint24 = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
