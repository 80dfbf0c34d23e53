import type { Segment } from '../../transcriber.ts'
import type { SpeechResponse } from './speech-response.ts'

/** In seconds. */
export interface VoiceSpan {
  start: number
  end: number
}

/** Shorter silences are uploaded: they separate sentences. */
const MAX_SILENCE_SECONDS = 2
/** Of a longer silence, this much stays on each side: the first and last sound of a word can be too soft for the detection. */
const PAD_SECONDS = 0.5

/** What to upload of `length` seconds: for each upload, of at most `maxSeconds`, the stretches without a long silence. */
export function uploadsOf(spoken: readonly VoiceSpan[], length: number, maxSeconds: number): VoiceSpan[][] {
  const uploads: VoiceSpan[][] = []
  let seconds = 0
  for (const [index, span] of spoken.entries()) {
    const [before, after] = [spoken[index - 1], spoken[index + 1]]
    const start = span.start - keptOf(span.start - (before?.end ?? 0), before !== undefined)
    const end = span.end + keptOf((after?.start ?? length) - span.end, after !== undefined)
    const current = uploads.at(-1)
    const last = current?.at(-1)
    if (!current || !last || seconds + end - start > maxSeconds) {
      uploads.push([{ start, end }])
      seconds = 0
    } else if (last.end >= start) last.end = end
    else current.push({ start, end })
    seconds += end - start
  }
  return uploads
}

/** How much of a silence stays beside one span; its other half stays beside its neighbour, if there is one. */
const keptOf = (silence: number, hasNeighbour: boolean): number => {
  if (silence > MAX_SILENCE_SECONDS) return PAD_SECONDS
  return Math.max(0, hasNeighbour ? silence / 2 : silence)
}

/** Moves the times of segments and words from those of the upload to those of the part that its stretches are from. */
export function withPartTimes(response: SpeechResponse, stretches: readonly VoiceSpan[]): SpeechResponse {
  const move = <T extends VoiceSpan>(one: T): T => ({ ...one, ...partTimes(one, stretches) })
  const moveAll = ({ words, ...segment }: Segment): Segment => ({
    ...move(segment),
    ...(words && { words: words.map(move) }),
  })
  return { ...response, segments: response.segments?.map(moveAll) ?? null }
}

/**
 * Servers put the border between two segments anywhere in the silence at a cut. A start there belongs to the stretch after it, and an
 * end to the stretch before it, so that the segment does not extend over the silence that was left out.
 */
function partTimes({ start, end }: VoiceSpan, stretches: readonly VoiceSpan[]): VoiceSpan {
  const placed = placedIn(stretches)
  const indexOf = (isBefore: (one: Placed) => boolean): number => {
    const index = placed.findIndex(isBefore)
    return index < 0 ? placed.length - 1 : index
  }
  let first = indexOf(({ to }) => start < to)
  let last = Math.max(
    first,
    indexOf(({ to }) => end <= to),
  )
  const cut = placed[first]?.to ?? 0
  if (last > first && start >= cut - PAD_SECONDS && end > cut + PAD_SECONDS) first++
  if (last > first && end <= (placed[last]?.from ?? 0) + PAD_SECONDS) last--
  return { start: timeIn(placed[first], start), end: timeIn(placed[last], end) }
}

/** A stretch, with its times in the upload. */
interface Placed {
  from: number
  to: number
  stretch: VoiceSpan
}

function placedIn(stretches: readonly VoiceSpan[]): Placed[] {
  let to = 0
  return stretches.map((stretch) => {
    const from = to
    to += stretch.end - stretch.start
    return { from, to, stretch }
  })
}

const timeIn = (placed: Placed | undefined, time: number): number =>
  placed
    ? Math.min(Math.max(placed.stretch.start + time - placed.from, placed.stretch.start), placed.stretch.end)
    : time
