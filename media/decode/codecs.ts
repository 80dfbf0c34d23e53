import type { AudioCodec } from 'mediabunny'
import type { PacketDecoder } from './packets/packet-decoder.ts'

type Opener = (config: AudioDecoderConfig) => Promise<PacketDecoder | null>

/** Loads only the codec of the file: loading all of them takes longer than decoding a few seconds. */
const OPENERS: Partial<Record<AudioCodec, Opener>> = {
  opus: openOpus,
  mp3: async () => new (await import('mpg123-decoder')).MPEGDecoder({ enableGapless: false }),
  flac: async () => new (await import('@wasm-audio-decoders/flac')).FLACDecoder(),
  aac: async ({ description, codec }) => {
    const { openAacDecoder, openAdtsDecoder } = await import('../aac/aac-decoder.ts')
    return description ? openAacDecoder(bytesOf(description)) : openAdtsDecoder(codec)
  },
}

/** Null if there is no decoder for the codec. */
export const openDecoder = async (
  codec: AudioCodec,
  config: AudioDecoderConfig,
): Promise<PacketDecoder | null> => (await OPENERS[codec]?.(config)) ?? null

/** Configured from OpusHead (RFC 7845, 5.1), which maps channels to streams where there are more than two. */
async function openOpus({ description, numberOfChannels }: AudioDecoderConfig): Promise<PacketDecoder> {
  const { OpusDecoder } = await import('opus-decoder')
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
