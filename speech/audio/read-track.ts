import {
  ADTS,
  AudioSampleSink,
  EncodedPacketSink,
  FilePathSource,
  FLAC,
  Input,
  type InputAudioTrack,
  type InputFormat,
  MATROSKA,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny'
import type { Container } from '../../server/processing/transcriber.ts'
import { openDecoder, type PacketDecoder, type Planes } from './codecs.ts'
import { MAX_CHANNELS, MAX_SOURCE_RATE, MIN_SOURCE_RATE } from './limits.ts'
import { oggOpusPackets } from './ogg-packets.ts'
import { type Step, stepOver } from './opus-packets.ts'
import { webmPackets } from './webm-packets.ts'

const FORMATS: Record<Container, InputFormat[]> = {
  webm: [WEBM, MATROSKA],
  ogg: [OGG],
  mp4: [MP4, QTFF],
  wav: [WAVE],
  mp3: [MP3],
  flac: [FLAC],
  aac: [ADTS],
}

/** Packets are handed over in bunches: a call into the decoder costs more than most packets. */
const BUNCH = 50
/** In the place of one that is missing. */
const NOTHING = new Uint8Array()

/** The message says what is wrong with the file, in words of ours. */
export class Unreadable extends Error {}
/** Only by what came with npm. */
export class NeedsFfmpeg extends Unreadable {}

/** The audio of a file, as it was recorded: any rate, any number of channels. */
export async function* readTrack(container: Container, path: string, step: Step): AsyncGenerator<Planes> {
  const input = new Input({ formats: FORMATS[container], source: new FilePathSource(path) })
  const track = await input.getPrimaryAudioTrack()
  if (!track) throw new Unreadable('it holds no audio')
  await checkChannels(track)
  const codec = await track.getCodec()
  const config = await track.getDecoderConfig()
  const decoder = codec && config && openDecoder(codec, config)
  const planes = codec?.startsWith('pcm-')
    ? readPcm(track, step)
    : decoder && readPackets(packetsOf(track, container, path, step), decoder)
  if (!codec) throw new Unreadable('its codec is unknown')
  if (!planes)
    throw new NeedsFfmpeg(`its codec (${codec}) needs ffmpeg, which is not installed or not allowed`)
  for await (const piece of planes) {
    checkRate(piece.sampleRate)
    yield piece
  }
}

async function checkChannels(track: InputAudioTrack): Promise<void> {
  checkRate(await track.getSampleRate())
  const channels = await track.getNumberOfChannels()
  if (channels < 1 || channels > MAX_CHANNELS) throw new Unreadable(`it claims ${channels} channels`)
}

function checkRate(rate: number): void {
  if (!Number.isInteger(rate) || rate < MIN_SOURCE_RATE || rate > MAX_SOURCE_RATE)
    throw new Unreadable(`it claims ${rate} samples a second`)
}

async function* packetsOf(
  track: InputAudioTrack,
  container: Container,
  path: string,
  step: Step,
): AsyncGenerator<Uint8Array> {
  const isOpus = (await track.getCodec()) === 'opus'
  if (container === 'webm') {
    const packets = webmPackets(path, track.id)
    yield* isOpus ? stepOver(packets, step) : packets
  } else if (container === 'ogg' && isOpus) yield* stepOver(oggOpusPackets(path), step)
  else yield* packetsFrom(track, step)
}

/**
 * The demuxer finds packets by the lengths of those before, which it reads without decoding them. What a track has before its
 * time begins (an encoder's run-up, in MP4) is decoded and left out; a gap becomes packets of nothing.
 */
async function* packetsFrom(track: InputAudioTrack, step: Step): AsyncGenerator<Uint8Array> {
  const sink = new EncodedPacketSink(track)
  const first = await (step.until > 0 ? sink.getPacket(step.until) : sink.getFirstPacket())
  if (!first) return
  step.done = first.timestamp - Math.max(0, await track.getFirstTimestamp())
  let end = first.timestamp
  for await (const packet of sink.packets(first)) {
    const missing = packet.duration > 0 ? Math.round((packet.timestamp - end) / packet.duration) : 0
    for (let n = 0; n < missing; n++) yield NOTHING
    yield packet.data
    end = packet.timestamp + packet.duration
  }
}

async function* readPackets(
  packets: AsyncIterable<Uint8Array>,
  decoder: PacketDecoder,
): AsyncGenerator<Planes> {
  await decoder.ready
  let hasSound = false
  let isDamaged = false
  for await (const bunch of bunchesOf(packets)) {
    const planes = await decoder.decodeFrames(bunch)
    hasSound ||= planes.samplesDecoded > 0
    isDamaged ||= (planes.errors ?? []).length > 0
    if (planes.samplesDecoded > 0) yield planes
  }
  decoder.free()
  if (isDamaged && !hasSound) throw new Unreadable('none of its packets can be decoded')
}

async function* bunchesOf(packets: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array[]> {
  let bunch: Uint8Array[] = []
  for await (const packet of packets) {
    if (bunch.push(packet) < BUNCH) continue
    yield bunch
    bunch = []
  }
  if (bunch.length > 0) yield bunch
}

async function* readPcm(track: InputAudioTrack, step: Step): AsyncGenerator<Planes> {
  let isFirst = true
  for await (const sample of new AudioSampleSink(track).samples(Math.max(0, step.until))) {
    const { numberOfFrames, numberOfChannels, sampleRate } = sample
    if (isFirst) step.done = sample.timestamp
    isFirst = false
    const channelData = Array.from({ length: numberOfChannels }, (_, planeIndex) => {
      const plane = new Float32Array(numberOfFrames)
      sample.copyTo(plane, { planeIndex, format: 'f32-planar' })
      return plane
    })
    sample.close()
    yield { channelData, samplesDecoded: numberOfFrames, sampleRate }
  }
}
