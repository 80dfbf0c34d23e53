import type { AudioCodec, EncodedPacket } from 'mediabunny'

/** Of one Opus frame, in milliseconds, by the five bits of its configuration (RFC 6716, section 3.1). */
function opusFrameMs(configuration: number): number {
  if (configuration < 12) return [10, 20, 40, 60][configuration % 4] ?? 0
  if (configuration < 16) return [10, 20][configuration % 2] ?? 0
  return [2.5, 5, 10, 20][configuration % 4] ?? 0
}

function opusPacketMs([head = 0, count = 0]: Uint8Array): number {
  const frames = [1, 2, 2, count & 0b11_1111][head & 0b11] ?? 0
  return opusFrameMs(head >> 3) * frames
}

/**
 * How long a packet sounds. Opus tells it, which WebM rounds to milliseconds and does not say of the last packet; of the others
 * the container does, and where it does not, the packet before was as long.
 */
export function packetSeconds(codec: AudioCodec, packet: EncodedPacket, before: number): number {
  return codec === 'opus' ? opusPacketMs(packet.data) / 1_000 : packet.duration || before
}
