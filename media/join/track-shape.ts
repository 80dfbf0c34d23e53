import {
  type AudioCodec,
  Mp3OutputFormat,
  Mp4OutputFormat,
  type OutputFormat,
  WavOutputFormat,
  WebMOutputFormat,
} from 'mediabunny'
import type { Container } from '../containers/container.ts'

/** The codec of a track and its decoder configuration. */
export interface TrackShape {
  codec: AudioCodec
  config: AudioDecoderConfig
}

interface JoinedFormat {
  container: Container
  make(): OutputFormat
}

const webm: JoinedFormat = { container: 'webm', make: () => new WebMOutputFormat() }
// The index is written at the end: at the front it would need space for the worst case, a fifth of the file, or all packets in memory.
const mp4: JoinedFormat = { container: 'mp4', make: () => new Mp4OutputFormat({ fastStart: false }) }
const mp3: JoinedFormat = { container: 'mp3', make: () => new Mp3OutputFormat() }
const wav: JoinedFormat = { container: 'wav', make: () => new WavOutputFormat() }

/** Containers in which browsers can seek. FLAC goes into MP4: the frame numbers of a second FLAC file would restart at 0. */
const joinedFormats: Partial<Record<AudioCodec, JoinedFormat>> = {
  opus: webm,
  vorbis: webm,
  aac: mp4,
  flac: mp4,
  mp3,
  'pcm-u8': wav,
  'pcm-s16': wav,
  'pcm-s24': wav,
  'pcm-s32': wav,
  'pcm-f32': wav,
  ulaw: wav,
  alaw: wav,
}

export interface JoinedTrack extends TrackShape {
  format: JoinedFormat
}

/** The track that tracks of these shapes (null: not known) can be copied into; null if they need transcoding. */
export function joinedTrack(found: readonly (TrackShape | null)[]): JoinedTrack | null {
  const shapes = found.filter((shape) => shape !== null)
  if (shapes.length < found.length) return null
  const [first] = shapes
  const format = first && joinedFormats[first.codec]
  if (!format || new Set(shapes.map(compatibilityKey)).size > 1) return null
  return { codec: first.codec, config: joinedConfig(shapes, first), format }
}

/** Tracks with the same key can follow each other in one decoder. */
function compatibilityKey({ codec, config }: TrackShape): string {
  const { sampleRate, numberOfChannels } = config
  // Opus packets state whether they are mono or stereo, and are always decoded at 48 kHz.
  if (codec === 'opus' && numberOfChannels <= 2) return codec
  const details = codec === 'flac' ? flacShape(description(config)) : description(config).toString('hex')
  return [codec, sampleRate, numberOfChannels, details].join()
}

function description({ description = new ArrayBuffer(0) }: AudioDecoderConfig): Buffer {
  return ArrayBuffer.isView(description)
    ? Buffer.from(description.buffer, description.byteOffset, description.byteLength)
    : Buffer.from(description)
}

function joinedConfig(shapes: TrackShape[], { codec, config }: TrackShape): AudioDecoderConfig {
  const configs = shapes.map((shape) => shape.config)
  if (codec === 'flac') return { ...config, description: joinedFlacInfo(configs.map(description)) }
  return configs.reduce((a, b) => (b.numberOfChannels > a.numberOfChannels ? b : a))
}

/** STREAMINFO (RFC 9639) as decoders expect it: `fLaC`, a block header, then 34 bytes. */
const INFO_AT = 8
const MAX_BLOCK_AT = INFO_AT + 2
const FRAME_SIZES_AT = INFO_AT + 4
const SHAPE_AT = INFO_AT + 12
const TOTAL_AT = INFO_AT + 14

/** Channels and bits per sample, as one number. */
const flacShape = (info: Buffer): number => (info.readUInt16BE(SHAPE_AT) >> 4) & 0xff

/** The header for all of these streams together: the largest block; frame sizes, length and digest are unknown (0). */
function joinedFlacInfo(infos: Buffer[]): Buffer {
  const joined = Buffer.from(infos[0] ?? [])
  joined.writeUInt16BE(Math.min(...infos.map((info) => info.readUInt16BE(INFO_AT))), INFO_AT)
  joined.writeUInt16BE(Math.max(...infos.map((info) => info.readUInt16BE(MAX_BLOCK_AT))), MAX_BLOCK_AT)
  joined.fill(0, FRAME_SIZES_AT, FRAME_SIZES_AT + 6)
  joined[TOTAL_AT - 1] = (joined[TOTAL_AT - 1] ?? 0) & 0xf0
  return joined.fill(0, TOTAL_AT)
}
