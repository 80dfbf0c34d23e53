import { EncodedPacketSink, type InputAudioTrack } from 'mediabunny'
import { opusSeconds } from './opus-packets.ts'

/** The beginning of a recording that is not decoded. */
export interface SkipRange {
  /** Seconds; nothing after it is skipped. */
  readonly until: number
  /** Seconds that were skipped, in whole packets. */
  skipped: number
}

/** Skips packets that end before `range.until`, without decoding them. */
export async function* skipPackets(
  packets: AsyncIterable<Uint8Array>,
  range: SkipRange,
  secondsOf: (packet: Uint8Array) => number,
): AsyncGenerator<Uint8Array> {
  let isBefore = true
  for await (const packet of packets) {
    const end = range.skipped + secondsOf(packet)
    isBefore &&= end <= range.until
    if (isBefore) range.skipped = end
    else yield packet
  }
}

/** A pause between two packets of an interrupted recording. */
export interface Gap {
  seconds: number
}

/** A longer gap is a broken clock, and is ignored. */
const LONGEST_GAP_SECONDS = 15 * 60

/** Seconds between the end of a packet and the start of the next one; 0 if it is shorter than half of that. */
export function pauseBetween(end: number, start: number, duration: number): number {
  const seconds = start - end
  return seconds > duration / 2 && seconds <= LONGEST_GAP_SECONDS ? seconds : 0
}

/** The packets after the skipped range. Audio before time zero (the encoder delay of MP4) is decoded and dropped. */
export async function* trackPackets(
  track: InputAudioTrack,
  range: SkipRange,
): AsyncGenerator<Uint8Array | Gap> {
  const sink = new EncodedPacketSink(track)
  const origin = await originOf(track)
  const sought = range.until > 0 ? await sink.getPacket(origin + range.until) : null
  const first = sought ?? (await sink.getFirstPacket())
  if (!first) return
  range.skipped = first.timestamp - origin
  const isOpus = (await track.getCodec()) === 'opus'
  let end = first.timestamp
  for await (const { timestamp, duration, data } of sink.packets(first)) {
    const pause = pauseBetween(end, timestamp, duration)
    if (pause > 0) yield { seconds: pause }
    yield data
    // Chromium writes 21 ms for the last packet of each fragment, which has 60.
    end = timestamp + (isOpus ? opusSeconds(data) : duration)
  }
}

/** The timestamp at which the track's audio begins. */
export const originOf = async (track: InputAudioTrack): Promise<number> =>
  Math.max(0, await track.getFirstTimestamp())
