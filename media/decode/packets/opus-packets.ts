const SILK_MS = [10, 20, 40, 60]
const HYBRID_MS = [10, 20]
const CELT_MS = [2.5, 5, 10, 20]

/** The duration of a packet. Its first byte holds the length of a frame and their number (RFC 6716, 3.1). */
export function opusSeconds(packet: Uint8Array): number {
  const first = packet[0] ?? 0
  const config = first >> 3
  return (frameMs(config) * frameCount(first & 3, packet)) / 1000
}

function frameMs(config: number): number {
  if (config < 12) return SILK_MS[config & 3] as number
  return config < 16 ? (HYBRID_MS[config & 1] as number) : (CELT_MS[config & 3] as number)
}

function frameCount(code: number, packet: Uint8Array): number {
  if (code === 3) return (packet[1] ?? 0) & 0x3f
  return code === 0 ? 1 : 2
}

const PRE_SKIP_AT = 10

/**
 * In MP4 the edit list states the encoder delay. Chromium writes no edit list and a pre-skip of 80 ms, which would remove the first
 * words of each of its slices.
 */
export function withoutPreSkip(config: AudioDecoderConfig): AudioDecoderConfig {
  const { description } = config
  if (!description) return config
  const head = ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength).slice()
    : new Uint8Array(description).slice()
  head.fill(0, PRE_SKIP_AT, PRE_SKIP_AT + 2)
  return { ...config, description: head }
}
