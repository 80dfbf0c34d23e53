import { FLACDecoder } from '@wasm-audio-decoders/flac'
import type { AudioCodec } from 'mediabunny'
import { MPEGDecoder } from 'mpg123-decoder'
import { OpusDecoder } from 'opus-decoder'
import { openAacDecoder, openAdtsDecoder } from '../aac/aac-decoder.ts'
import type { PacketDecoder } from './packet-decoder.ts'

const OPENERS: Partial<Record<AudioCodec, (config: AudioDecoderConfig) => PacketDecoder | null>> = {
  opus: openOpus,
  mp3: () => new MPEGDecoder({ enableGapless: false }),
  flac: () => new FLACDecoder(),
  aac: ({ description, codec }) =>
    description ? openAacDecoder(bytesOf(description)) : openAdtsDecoder(codec),
}

/** Null if there is no decoder for the codec. */
export const openDecoder = (codec: AudioCodec, config: AudioDecoderConfig): PacketDecoder | null =>
  OPENERS[codec]?.(config) ?? null

/** Configured from OpusHead (RFC 7845, 5.1), which maps channels to streams where there are more than two. */
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
