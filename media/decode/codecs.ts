import { FLACDecoder } from '@wasm-audio-decoders/flac'
import type { AudioCodec } from 'mediabunny'
import { MPEGDecoder } from 'mpg123-decoder'
import { OpusDecoder } from 'opus-decoder'
import { openAacDecoder, openAdtsDecoder } from '../aac/aac-decoder.ts'

/** A piece of audio, one array per channel. */
export interface Planes {
  channelData: Float32Array[]
  samplesDecoded: number
  sampleRate: number
  /** One for each packet that is damaged. */
  errors?: { message: string }[]
}

/** WebAssembly, or JavaScript: a codec's mistake with hostile bytes stays in its own memory. */
export interface PacketDecoder {
  ready: Promise<void>
  decodeFrames(packets: Uint8Array[]): Planes | Promise<Planes>
  free(): void
}

const OPENERS: Partial<Record<AudioCodec, (config: AudioDecoderConfig) => PacketDecoder | null>> = {
  opus: openOpus,
  mp3: () => new MPEGDecoder({ enableGapless: false }),
  flac: () => new FLACDecoder(),
  aac: ({ description, codec }) =>
    description ? openAacDecoder(bytesOf(description)) : openAdtsDecoder(codec),
}

/** Null of a codec that is not here. */
export function openDecoder(codec: AudioCodec, config: AudioDecoderConfig): PacketDecoder | null {
  return OPENERS[codec]?.(config) ?? null
}

/** From OpusHead (RFC 7845, 5.1): more than two channels must say which stream each of them is in. */
function openOpus({ description, numberOfChannels }: AudioDecoderConfig): PacketDecoder {
  const head = description ? bytesOf(description) : new Uint8Array()
  if (head.length < 19) return new OpusDecoder({ channels: numberOfChannels })
  const channels = head[9] ?? numberOfChannels
  const preSkip = (head[10] ?? 0) + 256 * (head[11] ?? 0)
  if (head[18] === 0) return new OpusDecoder({ channels, preSkip })
  const channelMappingTable = [...head.subarray(21, 21 + channels)]
  const [streamCount = 1, coupledStreamCount = 0] = head.subarray(19)
  return new OpusDecoder({ channels, preSkip, streamCount, coupledStreamCount, channelMappingTable })
}

const bytesOf = (source: ArrayBufferLike | ArrayBufferView): Uint8Array =>
  ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source)
