import {
  ADTS,
  AudioSampleSink,
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
import type { Container } from '../../server/transcription/transcriber.ts'
import { adtsPackets, adtsSeconds } from './adts-packets.ts'
import { openDecoder, type PacketDecoder, type Planes } from './codecs.ts'
import { MAX_CHANNELS, MAX_SOURCE_RATE, MIN_SOURCE_RATE } from './limits.ts'
import { oggOpusPackets } from './ogg-packets.ts'
import { opusSeconds } from './opus-packets.ts'
import { type Step, stepOver } from './skip-packets.ts'
import { type Gap, originOf, trackPackets } from './track-packets.ts'
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

/** Packets are handed over in bunches: a call into the decoder costs more than most packets. In ADTS each may have a rate of its own. */
const bunchSizeOf = (container: Container): number => (container === 'aac' ? 1 : 50)

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
    : decoder && readPackets(packetsOf(track, container, path, step), decoder, bunchSizeOf(container))
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

/** MP4 has a clock; of the others each packet follows the one before. */
async function* packetsOf(
  track: InputAudioTrack,
  container: Container,
  path: string,
  step: Step,
): AsyncGenerator<Uint8Array | Gap> {
  const isOpus = (await track.getCodec()) === 'opus'
  if (container === 'webm') {
    const packets = webmPackets(path, track.id)
    yield* isOpus ? stepOver(packets, step, opusSeconds) : packets
  } else if (container === 'ogg' && isOpus) yield* stepOver(oggOpusPackets(path), step, opusSeconds)
  else if (container === 'aac') yield* stepOver(adtsPackets(path), step, adtsSeconds)
  else
    for await (const part of trackPackets(track, step))
      if (container === 'mp4' || part instanceof Uint8Array) yield part
}

async function* readPackets(
  parts: AsyncIterable<Uint8Array | Gap>,
  decoder: PacketDecoder,
  bunchSize: number,
): AsyncGenerator<Planes> {
  await decoder.ready
  let sampleRate = 0
  let isDamaged = false
  for await (const part of bunchesOf(parts, bunchSize)) {
    if (!Array.isArray(part)) {
      yield* silence(part, sampleRate)
      continue
    }
    const planes = await decoder.decodeFrames(part)
    isDamaged ||= (planes.errors ?? []).length > 0
    if (planes.samplesDecoded === 0) continue
    ;({ sampleRate } = planes)
    yield planes
  }
  decoder.free()
  if (isDamaged && sampleRate === 0) throw new Unreadable('none of its packets can be decoded')
}

/** Packets in bunches; what was collected when the file turns out to be damaged counts, too. */
async function* bunchesOf(
  parts: AsyncIterable<Uint8Array | Gap>,
  size: number,
): AsyncGenerator<Uint8Array[] | Gap> {
  let bunch: Uint8Array[] = []
  try {
    for await (const part of parts) {
      const isPacket = part instanceof Uint8Array
      if (isPacket && bunch.push(part) < size) continue
      if (bunch.length > 0) yield bunch
      bunch = []
      if (!isPacket) yield part
    }
  } catch (error) {
    if (bunch.length > 0) yield bunch
    throw error
  }
  if (bunch.length > 0) yield bunch
}

/** A second at a time: a few bytes can claim many. Before the first sound there is none. */
function* silence({ seconds }: Gap, sampleRate: number): Generator<Planes> {
  for (let left = Math.round(seconds * sampleRate); left > 0; left -= sampleRate) {
    const samplesDecoded = Math.min(left, sampleRate)
    yield { channelData: [new Float32Array(samplesDecoded)], samplesDecoded, sampleRate }
  }
}

async function* readPcm(track: InputAudioTrack, step: Step): AsyncGenerator<Planes> {
  const origin = await originOf(track)
  let isFirst = true
  for await (const sample of new AudioSampleSink(track).samples(origin + Math.max(0, step.until))) {
    const { numberOfFrames, numberOfChannels, sampleRate } = sample
    if (isFirst) step.done = sample.timestamp - origin
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
