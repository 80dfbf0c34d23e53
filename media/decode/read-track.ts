import { AudioSampleSink, Input, type InputAudioTrack } from 'mediabunny'
import { type AppleContainer, isApple } from '../apple/apple-file.ts'
import type { Container } from '../containers/container.ts'
import { DEMUXERS } from '../containers/demuxers.ts'
import { type AudioBytes, sourceOf, streamOf } from './audio-bytes.ts'
import { openDecoder } from './codecs.ts'
import { MAX_CHANNELS, MAX_SOURCE_RATE, MIN_SOURCE_RATE } from './limits.ts'
import { adtsPackets, adtsSeconds } from './packets/adts-packets.ts'
import { oggOpusPackets } from './packets/ogg-packets.ts'
import { opusSeconds, withoutPreSkip } from './packets/opus-packets.ts'
import type { DecodedAudio, PacketDecoder } from './packets/packet-decoder.ts'
import { type Gap, originOf, type SkipRange, skipPackets, trackPackets } from './packets/track-packets.ts'
import { webmPackets } from './packets/webm-packets.ts'

/** Packets are decoded in batches: a call into the decoder costs more than most packets. In ADTS each packet can have its own rate. */
const batchSizeOf = (container: Container): number => (container === 'aac' ? 1 : 50)

/** The message says what is wrong with the file. */
export class Unreadable extends Error {}
/** The decoders from npm lack the codec. */
export class NeedsFfmpeg extends Unreadable {}

/** The audio of a file as it was recorded: any rate, any number of channels. */
export async function* readTrack(
  container: Container,
  audio: AudioBytes,
  range: SkipRange,
): AsyncGenerator<DecodedAudio> {
  if (isApple(container)) return yield* readAppleTrack(container, audio, range)
  const input = new Input({ formats: DEMUXERS[container], source: sourceOf(audio) })
  const track = await input.getPrimaryAudioTrack()
  if (!track) throw new Unreadable('it has no audio track')
  const codec = await track.getCodec()
  if (!codec) throw needsFfmpeg(await track.getInternalCodecId())
  await checkChannels(track)
  const stated = await track.getDecoderConfig()
  const config = stated && container === 'mp4' && codec === 'opus' ? withoutPreSkip(stated) : stated
  const decoder = codec && config && (await openDecoder(codec, config))
  const decoded = codec?.startsWith('pcm-')
    ? readPcm(track, range)
    : decoder && readPackets(packetsOf(track, container, audio, range), decoder, batchSizeOf(container))
  if (!decoded) throw needsFfmpeg(codec)
  for await (const block of decoded) {
    checkRate(block.sampleRate)
    yield block
  }
}

async function* readAppleTrack(
  container: AppleContainer,
  path: AudioBytes,
  range: SkipRange,
): AsyncGenerator<DecodedAudio> {
  if (typeof path !== 'string') throw new Unreadable('it must be decoded from a file')
  const { openAppleFile } = await import('../apple/open-apple-file.ts')
  const { readApple } = await import('../apple/read-samples.ts')
  const file = await openAppleFile(path, container)
  if (!file) throw new Unreadable('it has no audio track')
  if ('rate' in file) checkRate(file.rate)
  const decoded = readApple(path, file, range)
  if (!decoded) throw needsFfmpeg(file.codec)
  yield* decoded
}

/** The name can be any bytes of the file. */
function needsFfmpeg(codec: unknown): NeedsFfmpeg {
  const name = typeof codec === 'string' && /^[\x20-\x7e]{1,40}$/.test(codec) ? codec.trim() : 'unknown'
  return new NeedsFfmpeg(`its codec (${name}) needs ffmpeg, which is not installed or not allowed`)
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

/** Only MP4 has reliable timestamps. In other containers each packet follows the one before. */
async function* packetsOf(
  track: InputAudioTrack,
  container: Container,
  audio: AudioBytes,
  range: SkipRange,
): AsyncGenerator<Uint8Array | Gap> {
  const isOpus = (await track.getCodec()) === 'opus'
  if (container === 'webm') {
    const packets = webmPackets(streamOf(audio, 2 ** 16), track.id)
    yield* isOpus ? skipPackets(packets, range, opusSeconds) : packets
  } else if (container === 'ogg' && isOpus)
    yield* skipPackets(oggOpusPackets(streamOf(audio)), range, opusSeconds)
  else if (container === 'aac') yield* skipPackets(adtsPackets(audio), range, adtsSeconds)
  else
    for await (const part of trackPackets(track, range))
      if (container === 'mp4' || part instanceof Uint8Array) yield part
}

async function* readPackets(
  parts: AsyncIterable<Uint8Array | Gap>,
  decoder: PacketDecoder,
  batchSize: number,
): AsyncGenerator<DecodedAudio> {
  await decoder.ready
  let sampleRate = 0
  let isDamaged = false
  for await (const part of batchesOf(parts, batchSize)) {
    if (!Array.isArray(part)) {
      yield* silence(part, sampleRate)
      continue
    }
    const decoded = await decoder.decodeFrames(part)
    isDamaged ||= (decoded.errors ?? []).length > 0
    if (decoded.samplesDecoded === 0) continue
    ;({ sampleRate } = decoded)
    yield decoded
  }
  decoder.free()
  if (isDamaged && sampleRate === 0) throw new Unreadable('none of its packets can be decoded')
}

/** Packets in batches. The packets before damage are yielded, too. */
async function* batchesOf(
  parts: AsyncIterable<Uint8Array | Gap>,
  size: number,
): AsyncGenerator<Uint8Array[] | Gap> {
  let batch: Uint8Array[] = []
  try {
    for await (const part of parts) {
      const isPacket = part instanceof Uint8Array
      if (isPacket && batch.push(part) < size) continue
      if (batch.length > 0) yield batch
      batch = []
      if (!isPacket) yield part
    }
  } catch (error) {
    if (batch.length > 0) yield batch
    throw error
  }
  if (batch.length > 0) yield batch
}

/** Yields one second at a time, because a few bytes can claim hours. Before the first audio the rate is 0, and nothing is yielded. */
function* silence({ seconds }: Gap, sampleRate: number): Generator<DecodedAudio> {
  for (let left = Math.round(seconds * sampleRate); left > 0; left -= sampleRate) {
    const samplesDecoded = Math.min(left, sampleRate)
    yield { channelData: [new Float32Array(samplesDecoded)], samplesDecoded, sampleRate }
  }
}

async function* readPcm(track: InputAudioTrack, range: SkipRange): AsyncGenerator<DecodedAudio> {
  const origin = await originOf(track)
  let isFirst = true
  for await (const sample of new AudioSampleSink(track).samples(origin + Math.max(0, range.until))) {
    const { numberOfFrames, numberOfChannels, sampleRate } = sample
    if (isFirst) range.skipped = sample.timestamp - origin
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
