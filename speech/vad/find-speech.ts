import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import { FRAME } from './silero.ts'

/** A run of speech, with a little of what surrounds it. */
export interface Stretch {
  /** In seconds of the recording: of what is this stretch's own, without what it shares with a neighbour. */
  start: number
  end: number
  /** Seconds of sound before `start` that the stretch before this one has too; 0 after a pause. */
  lead: number
  samples: Float32Array
}

const framesIn = (seconds: number): number => Math.round((seconds * SAMPLE_RATE) / FRAME)
const secondsOf = (frames: number): number => (frames * FRAME) / SAMPLE_RATE

const BEGINS_AT = 0.5
const ENDS_BELOW = 0.35
const SHORTEST = framesIn(0.25)
const PAUSE = framesIn(0.35)
/** Before and after: soft beginnings and endings score low. */
const PAD = framesIn(0.16)
/** Both models fade beyond this. */
const LONGEST = framesIn(20)
/** A cut falls into the later half, so that stretches stay long. */
const EARLIEST_CUT = framesIn(10)
/** Shared by both sides of a cut through running speech: a word that is cut on one side is whole on the other. */
const OVERLAP = framesIn(1.5)

interface Frame {
  samples: Float32Array
  /** Of speech. */
  chance: number
}

/** Streams: no more than one stretch is held. Whoever speaks without a pause is cut where speech is least likely. */
export async function* findSpeech(
  frames: AsyncIterable<Float32Array>,
  chanceOf: (frame: Float32Array) => Promise<number>,
  startSeconds: number,
): AsyncGenerator<Stretch> {
  const held = new HeldFrames(startSeconds)
  for await (const samples of frames) {
    held.add({ samples, chance: await chanceOf(samples) })
    const stretch = held.takeFinished()
    if (stretch) yield stretch
  }
  const last = held.takeRest()
  if (last) yield last
}

class HeldFrames {
  private frames: Frame[] = []
  /** Of the first held frame, counted from the recording's beginning. */
  private first = 0
  private isSpeaking = false
  private silent = 0
  /** Frames at the beginning that the stretch before has too. */
  private lead = 0
  private readonly startSeconds: number

  constructor(startSeconds: number) {
    this.startSeconds = startSeconds
  }

  add(frame: Frame): void {
    this.frames.push(frame)
    if (frame.chance >= BEGINS_AT) {
      this.isSpeaking = true
      this.silent = 0
    } else if (frame.chance < ENDS_BELOW) this.silent++
    if (!this.isSpeaking) this.drop(this.frames.length - PAD)
  }

  takeFinished(): Stretch | null {
    if (!this.isSpeaking) return null
    if (this.silent >= PAUSE) return this.takeSpoken()
    return this.frames.length >= LONGEST ? this.cut() : null
  }

  takeRest(): Stretch | null {
    return this.isSpeaking ? this.takeSpoken() : null
  }

  /** Up to the pause that has begun. */
  private takeSpoken(): Stretch | null {
    const spoken = this.frames.length - this.silent
    const length = Math.min(this.frames.length, spoken + PAD)
    const isLongEnough =
      this.lead > 0 || this.frames.filter(({ chance }) => chance >= ENDS_BELOW).length >= SHORTEST
    const stretch = isLongEnough ? this.stretch(length, length) : null
    this.drop(length)
    this.isSpeaking = false
    this.lead = 0
    return stretch
  }

  private cut(): Stretch {
    const at = leastLikely(this.frames, EARLIEST_CUT, LONGEST - OVERLAP)
    const stretch = this.stretch(at, at + OVERLAP)
    this.drop(at - OVERLAP)
    this.lead = OVERLAP
    return stretch
  }

  private stretch(ownEnd: number, end: number): Stretch {
    const samples = new Float32Array(end * FRAME)
    this.frames.slice(0, end).forEach((frame, index) => {
      samples.set(frame.samples, index * FRAME)
    })
    const time = (frame: number): number => this.startSeconds + secondsOf(this.first + frame)
    return { start: time(this.lead), end: time(ownEnd), lead: secondsOf(this.lead), samples }
  }

  private drop(count: number): void {
    if (count <= 0) return
    this.frames.splice(0, count)
    this.first += count
  }
}

/** Averaged over three frames: a single low one may be within a word. */
function leastLikely(frames: readonly Frame[], from: number, to: number): number {
  const around = (index: number): number =>
    (frames[index - 1]?.chance ?? 1) + (frames[index]?.chance ?? 1) + (frames[index + 1]?.chance ?? 1)
  let best = from
  for (let index = from; index < to; index++) if (around(index) <= around(best)) best = index
  return best
}
