import {
  type AudioCodec,
  type InputAudioTrack,
  Mp3OutputFormat,
  Mp4OutputFormat,
  type OutputFormat,
  WavOutputFormat,
  WebMOutputFormat,
} from 'mediabunny'
import type { Container } from '../containers/container.ts'
import { flacShape, jointFlacInfo } from '../containers/flac-info.ts'

/** What a decoder must know of a track. */
export interface TrackShape {
  codec: AudioCodec
  config: AudioDecoderConfig
}

export async function shapeOf(track: InputAudioTrack): Promise<TrackShape | null> {
  const [codec, config] = [await track.getCodec(), await track.getDecoderConfig()]
  return codec && config ? { codec, config } : null
}

interface JointFormat {
  container: Container
  make(): OutputFormat
}

const webm: JointFormat = { container: 'webm', make: () => new WebMOutputFormat() }
// The index goes to the end: in front of the data it would need room for the worst case, a fifth of the file, or all packets in memory.
const mp4: JointFormat = { container: 'mp4', make: () => new Mp4OutputFormat({ fastStart: false }) }
const mp3: JointFormat = { container: 'mp3', make: () => new Mp3OutputFormat() }
const wav: JointFormat = { container: 'wav', make: () => new WavOutputFormat() }

/**
 * What browsers play and seek in, for what they can decode. FLAC goes into MP4, since its own frames are numbered, and those
 * of a second part would begin anew.
 */
const jointFormats: Partial<Record<AudioCodec, JointFormat>> = {
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

export interface JointTrack extends TrackShape {
  format: JointFormat
}

/** How tracks of these shapes become one without a new encoding; null if they can't. */
export function jointTrack(shapes: TrackShape[]): JointTrack | null {
  const [first] = shapes
  const format = first && jointFormats[first.codec]
  if (!format || new Set(shapes.map(likeness)).size > 1) return null
  return { codec: first.codec, config: jointConfig(shapes, first), format }
}

/** Tracks with the same likeness can follow each other in one decoder. */
function likeness({ codec, config }: TrackShape): string {
  const { sampleRate, numberOfChannels } = config
  // Opus packets tell their own shape, up to stereo, and are always decoded at 48 kHz.
  if (codec === 'opus' && numberOfChannels <= 2) return codec
  const details = codec === 'flac' ? flacShape(description(config)) : description(config).toString('hex')
  return [codec, sampleRate, numberOfChannels, details].join()
}

function description({ description = new ArrayBuffer(0) }: AudioDecoderConfig): Buffer {
  return ArrayBuffer.isView(description)
    ? Buffer.from(description.buffer, description.byteOffset, description.byteLength)
    : Buffer.from(description)
}

function jointConfig(shapes: TrackShape[], { codec, config }: TrackShape): AudioDecoderConfig {
  const configs = shapes.map((shape) => shape.config)
  if (codec === 'flac') return { ...config, description: jointFlacInfo(configs.map(description)) }
  return configs.reduce((a, b) => (b.numberOfChannels > a.numberOfChannels ? b : a))
}
