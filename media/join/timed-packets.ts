import { EncodedPacket, EncodedPacketSink, type InputAudioTrack } from 'mediabunny'
import { FRAME } from '../aac/layout.ts'
import { oggOpusPackets } from '../decode/packets/ogg-packets.ts'
import { opusSeconds } from '../decode/packets/opus-packets.ts'
import { pauseBetween } from '../decode/packets/track-packets.ts'
import { webmPackets } from '../decode/packets/webm-packets.ts'
import { bytesOf, sizeOf } from './file-spans.ts'
import { openSourceFile } from './read-source-file.ts'
import type { SourceFile } from './source-file.ts'
import type { TrackShape } from './track-shape.ts'

export interface ReadCallbacks {
  /** Called before a file and before each of its packets is read. */
  onRead(file: SourceFile): void
  /** Called with the reason why a file, or the rest of it, is skipped. Rethrows errors that must not skip it. */
  onUnreadable(error: unknown): void
}

/** A packet, or a pause between two of them (`packet` is null, and the data are those of the packet after it). */
export interface TimedPacket {
  packet: EncodedPacket | null
  data: Uint8Array
  seconds: number
}

const AAC_LC = 'mp4a.40.2'

/** An intact file has fewer bytes of packets than its size. The index of a hostile MP4 can list the same bytes thousands of times. */
const MAX_PACKET_SHARE = 2

/**
 * Packets up to the first damage, with the same times as decoded audio: in MP4, packets before time zero (the encoder delay) are
 * left out, and pauses kept. Other containers have no reliable times.
 */
export async function* timedPackets(
  file: SourceFile,
  { codec, config }: TrackShape,
  { onRead, onUnreadable }: ReadCallbacks,
): AsyncGenerator<TimedPacket> {
  onRead(file)
  let bytesLeft = MAX_PACKET_SHARE * (await sizeOf(file))
  using input = await openSourceFile(file)
  const track = await input.getPrimaryAudioTrack()
  if (!track) return
  const isTimed = file.container === 'mp4'
  // MP4 can cut the last packet of a file to the length of the audio, but players decode it whole: 13 ms more with each file.
  const decodedSeconds = config.codec === AAC_LC ? FRAME / config.sampleRate : 0
  let [seconds, end] = [0, Number.NaN]
  try {
    for await (const packet of packetsOf(file, track, codec)) {
      const { data, timestamp, duration } = packet
      bytesLeft -= data.length
      if (bytesLeft < 0) return
      if (data.length === 0) continue
      onRead(file)
      const pause = isTimed ? pauseBetween(end, timestamp, duration) : 0
      end = timestamp + (codec === 'opus' ? opusSeconds(data) : duration)
      if (isTimed && timestamp + duration / 2 < 0) continue
      if (pause > 0) yield { packet: null, data, seconds: pause }
      // WebM rounds the duration to milliseconds and omits it for the last packet; Opus packets state it themselves.
      seconds = codec === 'opus' ? opusSeconds(data) : Math.max(duration || seconds, decodedSeconds)
      yield { packet, data, seconds }
    }
  } catch (error) {
    onUnreadable(error)
  }
}

/** mediabunny returns nothing of a truncated WebM cluster, which can be all of a recording, or Ogg page. Opus packets state their duration. */
async function* packetsOf(
  file: SourceFile,
  track: InputAudioTrack,
  codec: TrackShape['codec'],
): AsyncGenerator<EncodedPacket> {
  const packets = codec === 'opus' ? opusPackets(file, track.id) : null
  if (!packets) return yield* new EncodedPacketSink(track).packets()
  for await (const data of packets) yield new EncodedPacket(data, 'key', 0, opusSeconds(data))
}

function opusPackets(file: SourceFile, track: number): AsyncIterable<Uint8Array> | null {
  if (file.container === 'webm') return webmPackets(bytesOf(file), track)
  return file.container === 'ogg' ? oggOpusPackets(bytesOf(file)) : null
}

/** Encoders add up to three frames. More than this is audio that was not transcribed, which moves the file after it. */
const LONGEST_PADDING_SECONDS = 0.2

/** Leaves out the packets at the end of a file that would sound after `end`, where the next file begins. */
export async function* withoutPadding(
  packets: AsyncIterable<TimedPacket>,
  clock: () => number,
  end: number,
): AsyncGenerator<TimedPacket> {
  const held: TimedPacket[] = []
  let seconds = 0
  for await (const packet of packets) {
    held.push(packet)
    seconds += packet.seconds
    for (let first = held[0]; first && seconds - first.seconds >= LONGEST_PADDING_SECONDS; first = held[0]) {
      seconds -= first.seconds
      yield first
      held.shift()
    }
  }
  for (const packet of held) {
    const late = clock() + packet.seconds / 2 - end
    if (late > 0 && late < LONGEST_PADDING_SECONDS) return
    yield packet
  }
}
