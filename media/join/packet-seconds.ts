import type { AudioCodec, EncodedPacket } from 'mediabunny'
import { opusSeconds } from '../decode/opus-packets.ts'

/**
 * The duration of a packet. Opus packets state it; WebM rounds it to milliseconds and omits it for the last packet. For other
 * codecs the container states it, or else the packet before was as long.
 */
export const packetSeconds = (codec: AudioCodec, packet: EncodedPacket, before: number): number =>
  codec === 'opus' ? opusSeconds(packet.data) : packet.duration || before
