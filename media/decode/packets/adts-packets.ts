import { FRAME } from '../../aac/layout.ts'
import { type AdtsHead, readAdtsHead } from '../../aac/stream-config.ts'
import { type AudioBytes, streamOf } from '../audio-bytes.ts'

/** The length field has 13 bits. */
const LARGEST_FRAME = 2 ** 13
const HEAD = 7
/** The first byte of every header. */
const MARK = 0xff

/** Frames with their headers, up to a truncated end; other bytes are skipped. mediabunny loses track where the sample rate changes. */
export async function* adtsPackets(audio: AudioBytes): AsyncGenerator<Uint8Array> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of streamOf(audio)) {
    rest = Buffer.concat([rest, chunk])
    rest = rest.subarray(yield* framesOf(rest, LARGEST_FRAME + HEAD))
  }
  yield* framesOf(rest, HEAD)
}

/** Frames that begin where at least `room` bytes are left. Returns where it stopped. */
function* framesOf(bytes: Buffer, room: number): Generator<Uint8Array, number> {
  let at = nextMark(bytes, 0)
  while (bytes.length - at >= room) {
    const frame = frameAt(bytes, at)
    if (frame) yield new Uint8Array(frame)
    at = nextMark(bytes, at + (frame?.length ?? 1))
  }
  return at
}

function nextMark(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(MARK, from)
  return at < 0 ? bytes.length : at
}

/** Twelve bits can look like a header by chance. A real frame ends at another header, or at the end of the file. */
function frameAt(bytes: Buffer, at: number): Buffer | null {
  const length = headOf(bytes, at)?.length ?? 0
  const end = at + length
  if (length < HEAD || end > bytes.length) return null
  return end === bytes.length || headOf(bytes, end) !== null ? bytes.subarray(at, end) : null
}

const headOf = (bytes: Buffer, at: number): AdtsHead | null => readAdtsHead(bytes.subarray(at, at + HEAD))

export const adtsSeconds = (packet: Uint8Array): number =>
  FRAME / (readAdtsHead(packet)?.config.sampleRate ?? Number.POSITIVE_INFINITY)
