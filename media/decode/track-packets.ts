import { EncodedPacketSink, type InputAudioTrack } from 'mediabunny'
import type { Step } from './skip-packets.ts'

/** Between two packets of a recording that was interrupted. */
export interface Gap {
  seconds: number
}

/** A longer one is a clock that broke: what follows it is taken to follow at once. */
const LONGEST_GAP_SECONDS = 15 * 60

/**
 * The packets that are not stepped over. The demuxer finds them by the lengths of those before, which it reads without decoding
 * them. Times are counted from the track's first packet; what lies before its zero (an encoder's run-up, in MP4) is decoded and
 * left out.
 */
export async function* trackPackets(track: InputAudioTrack, step: Step): AsyncGenerator<Uint8Array | Gap> {
  const sink = new EncodedPacketSink(track)
  const origin = await originOf(track)
  const sought = step.until > 0 ? await sink.getPacket(origin + step.until) : null
  const first = sought ?? (await sink.getFirstPacket())
  if (!first) return
  step.done = first.timestamp - origin
  let end = first.timestamp
  for await (const { timestamp, duration, data } of sink.packets(first)) {
    const seconds = timestamp - end
    if (seconds > duration / 2 && seconds <= LONGEST_GAP_SECONDS) yield { seconds }
    yield data
    end = timestamp + duration
  }
}

/** The moment in a track's own time that its sound begins at. */
export const originOf = async (track: InputAudioTrack): Promise<number> =>
  Math.max(0, await track.getFirstTimestamp())
