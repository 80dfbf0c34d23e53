import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import type { SpeechSegment } from '../vad/find-speech.ts'

/** Whisper always processes 30 s: packed windows take half the time of one window per segment. */
const LONGEST_PACK = 28 * SAMPLE_RATE
/** Silence between two segments, however long the real pause was. */
const GAP = Math.round(0.3 * SAMPLE_RATE)

export type Pack = ReturnType<typeof packOf>

/** A segment that overlaps the one before gets another window: the shared words would be transcribed twice. */
export async function* packed(segments: AsyncIterable<SpeechSegment>): AsyncGenerator<Pack> {
  let waiting: SpeechSegment[] = []
  for await (const segment of segments) {
    if (waiting.length > 0 && (segment.overlap > 0 || lengthOf([...waiting, segment]) > LONGEST_PACK)) {
      yield packOf(waiting)
      waiting = []
    }
    waiting.push(segment)
  }
  if (waiting.length > 0) yield packOf(waiting)
}

/** Several segments of speech in one window. */
export function packOf(segments: SpeechSegment[]) {
  const samples = new Float32Array(lengthOf(segments))
  const offsets: number[] = []
  let offset = 0
  for (const segment of segments) {
    samples.set(segment.samples, offset)
    offsets.push(offset / SAMPLE_RATE)
    offset += segment.samples.length + GAP
  }
  /** Converts seconds within `samples` to seconds of the recording. */
  const timeAt = (seconds: number, side: 'start' | 'end'): number => {
    const index = offsets.findLastIndex((at) => (side === 'start' ? at <= seconds : at < seconds))
    const segment = segments[Math.max(0, index)] as SpeechSegment
    const time = segment.start - segment.overlap + seconds - (offsets[index] ?? 0)
    return Math.min(segment.end, Math.max(segment.start, time))
  }
  /** The position of a segment within `samples`, in seconds. */
  const partOf = (segment: SpeechSegment): { from: number; to: number } => {
    const from = offsets[segments.indexOf(segment)] ?? 0
    return { from, to: from + segment.samples.length / SAMPLE_RATE }
  }
  return { samples, segments, timeAt, partOf }
}

const lengthOf = (segments: readonly SpeechSegment[]): number =>
  segments.reduce((sum, { samples }) => sum + samples.length, (segments.length - 1) * GAP)
