import type { AudioCodec } from 'mediabunny'
import { FRAME } from '../aac/layout.ts'

/** One packet of silence. */
export interface SilentPacket {
  data: Uint8Array
  seconds: number
}

/** RFC 6716: an empty CELT frame of 20 ms. */
const OPUS = Uint8Array.of(0xf8, 0xff, 0xfe)

/** ISO 14496-3: an AAC-LC frame without spectrum, by its number of channels. */
const AAC: Readonly<Record<number, Uint8Array>> = {
  1: Uint8Array.of(0x00, 0xc8, 0x00, 0x80, 0x23, 0x80),
  2: Uint8Array.of(0x21, 0x00, 0x49, 0x90, 0x02, 0x19, 0x00, 0x23, 0x80),
}

const PCM_SECONDS = 0.02
/** The bytes of a sample, and the value of each in silence. */
const PCM: Partial<Record<AudioCodec, [bytes: number, value: number]>> = {
  'pcm-u8': [1, 0x80],
  'pcm-s16': [2, 0],
  'pcm-s24': [3, 0],
  'pcm-s32': [4, 0],
  'pcm-f32': [4, 0],
  ulaw: [1, 0xff],
  alaw: [1, 0xd5],
}

const MP3_HEADER_BYTES = 4

/** Silence for a track; null for a codec that has none, where the joined file gets a jump in time instead. */
export function silentPacket(
  codec: AudioCodec,
  { sampleRate, numberOfChannels, description }: AudioDecoderConfig,
  like: { data: Uint8Array; seconds: number } | null,
): SilentPacket | null {
  if (codec === 'opus') return { data: OPUS, seconds: 0.02 }
  const aac = codec === 'aac' ? AAC[numberOfChannels] : undefined
  if (aac) {
    // Without a description of the stream, each packet has an ADTS header.
    const data = description ? aac : like && withAdtsHeader(aac, like.data)
    return data && { data, seconds: FRAME / sampleRate }
  }
  const pcm = PCM[codec]
  if (pcm) {
    const samples = Math.round(PCM_SECONDS * sampleRate)
    const data = new Uint8Array(samples * numberOfChannels * pcm[0]).fill(pcm[1])
    return { data, seconds: samples / sampleRate }
  }
  return codec === 'mp3' && like ? { data: silentMp3(like.data), seconds: like.seconds } : null
}

const ADTS_BYTES = 7

/** The header of another frame, without its checksum, and with the length of this one. */
function withAdtsHeader(frame: Uint8Array, like: Uint8Array): Uint8Array {
  const length = ADTS_BYTES + frame.length
  const packet = new Uint8Array(length)
  packet.set(like.subarray(0, ADTS_BYTES))
  packet.set(frame, ADTS_BYTES)
  packet[1] = (packet[1] ?? 0) | 1
  packet[3] = ((packet[3] ?? 0) & 0xfc) | (length >> 11)
  packet[4] = (length >> 3) & 0xff
  packet[5] = ((length & 7) << 5) | ((packet[5] ?? 0) & 0x1f)
  return packet
}

/** The header of another frame, without its checksum; zeros after it state that there is no audio data. */
function silentMp3(frame: Uint8Array): Uint8Array {
  const silent = new Uint8Array(frame.length)
  silent.set(frame.subarray(0, MP3_HEADER_BYTES))
  silent[1] = (silent[1] ?? 0) | 1
  return silent
}
