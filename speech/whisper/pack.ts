import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import type { Stretch } from '../vad/find-speech.ts'

/** Whisper looks at 30 s whatever it gets: packed windows take half the time of one per stretch. */
const LONGEST_PACK = 28 * SAMPLE_RATE
/** Silence between stretches, however long the real pause was. */
const GAP = Math.round(0.3 * SAMPLE_RATE)

/** Several stretches in one window. */
export interface Pack {
  samples: Float32Array
  stretches: Stretch[]
  /** Seconds of the recording, of a place in `samples`, in seconds. */
  timeAt(place: number, side: 'start' | 'end'): number
}

/** A stretch that shares sound with the one before can't be in its window: the shared words would be heard twice. */
export async function* packed(stretches: AsyncIterable<Stretch>): AsyncGenerator<Pack> {
  let waiting: Stretch[] = []
  for await (const stretch of stretches) {
    if (waiting.length > 0 && (stretch.lead > 0 || lengthOf([...waiting, stretch]) > LONGEST_PACK)) {
      yield packOf(waiting)
      waiting = []
    }
    waiting.push(stretch)
  }
  if (waiting.length > 0) yield packOf(waiting)
}

export function packOf(stretches: Stretch[]): Pack {
  const samples = new Float32Array(lengthOf(stretches))
  const offsets: number[] = []
  let offset = 0
  for (const stretch of stretches) {
    samples.set(stretch.samples, offset)
    offsets.push(offset / SAMPLE_RATE)
    offset += stretch.samples.length + GAP
  }
  const timeAt = (place: number, side: 'start' | 'end'): number => {
    const index = offsets.findLastIndex((at) => (side === 'start' ? at <= place : at < place))
    const stretch = stretches[Math.max(0, index)] as Stretch
    const time = stretch.start - stretch.lead + place - (offsets[index] ?? 0)
    return Math.min(stretch.end, Math.max(stretch.start, time))
  }
  return { samples, stretches, timeAt }
}

const lengthOf = (stretches: readonly Stretch[]): number =>
  stretches.reduce((sum, { samples }) => sum + samples.length, (stretches.length - 1) * GAP)
