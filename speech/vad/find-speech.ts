import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import { GainControl, type LevelledFrame } from '../levels/gain-control.ts'
import type { CutOff } from '../models/cut-off.ts'
import { FRAME } from './silero.ts'

/** A segment of speech, with a little padding. */
export interface SpeechSegment {
  /** Seconds of the recording, without the audio that it shares with a neighbour. */
  start: number
  end: number
  /** Seconds of audio before `start` that the segment before has, too; 0 after a pause. */
  overlap: number
  samples: Float32Array
  /** Whether it is quiet and hardly louder than the noise, so that its words are uncertain. */
  isFaint?: boolean
  /** Whether it was recorded too loud, so that its words need more confidence. */
  isClipped?: boolean
  /** Whether the audio begins or ends within it, perhaps within a word. */
  cutOff?: CutOff
  /** Whether the detector was hardly ever certain of it: a word, or music. */
  isUncertain?: boolean
}

const framesIn = (seconds: number): number => Math.round((seconds * SAMPLE_RATE) / FRAME)
const secondsOf = (frames: number): number => (frames * FRAME) / SAMPLE_RATE

const BEGINS_AT = 0.5
const ENDS_BELOW = 0.35
const SHORTEST = framesIn(0.25)
/**
 * A stretch needs one frame with this probability, or longer speech. The least of 298 short words, in noise up to their own level, had
 * 0.78; noise after two seconds of a voice had up to 0.59.
 */
const SURE = 0.7
/** Music that became "Thank you." had one frame with this probability; the least of 53 single words in five languages had three. */
const CERTAIN = 0.9
const MIN_CERTAIN = 3
/** The pause that ends a segment, by the segment's length: the longer it is, the more its transcription costs, again and again in live recordings. */
const PAUSES: readonly { from: number; pause: number }[] = [
  { from: framesIn(12), pause: framesIn(0.1) },
  { from: framesIn(6), pause: framesIn(0.2) },
  { from: 0, pause: framesIn(0.35) },
]
/** A shorter silence can be part of a word, before a "t" or "k". */
const SHORTEST_PAUSE = framesIn(0.1)
/** Padding before and after speech: soft beginnings and endings have a low probability. */
const PAD = framesIn(0.16)
/** Both models get worse beyond this. */
const LONGEST = framesIn(20)
/** A split falls into the later half, so that segments stay long. */
const EARLIEST_SPLIT = framesIn(10)
/** Shared by both sides of a split in continuous speech: a word that is truncated on one side is whole on the other. */
const OVERLAP = framesIn(1.5)

interface Frame {
  samples: Float32Array
  /** The probability that it contains speech. */
  probability: number
}

/** Gives the probability that a frame contains speech. It remembers the frames before. */
export type Detector = (frame: Float32Array) => Promise<number>

/** All speech of a recording. */
export async function* findSpeech(
  frames: AsyncIterable<Float32Array>,
  probabilityOf: Detector,
  startSeconds: number,
): AsyncGenerator<SpeechSegment> {
  const finder = new SpeechFinder(probabilityOf, startSeconds)
  for await (const frame of frames) {
    const segment = await finder.add(frame)
    if (segment) yield segment
  }
  yield* finder.flush()
  const last = finder.unfinished()
  if (last) yield last
}

/** Streams: at most one segment is held. Speech without a pause is split where it is least probable. */
export class SpeechFinder {
  private readonly probabilityOf: Detector
  private frames: Frame[] = []
  /** The number of the first held frame. */
  private first = 0
  private isSpeaking = false
  private silent = 0
  /** Frames at the beginning that the segment before has, too. */
  private overlap = 0
  private readonly startSeconds: number
  private framesToWarmUp: number
  /** The first frame is the beginning of the audio. */
  private readonly isBeginning: boolean
  private readonly gainControl = new GainControl(FRAME)

  /** `framesToWarmUp`: how many frames before the start are for the detector only. */
  constructor(probabilityOf: Detector, startSeconds: number, framesToWarmUp = 0) {
    this.probabilityOf = probabilityOf
    this.startSeconds = startSeconds
    this.framesToWarmUp = framesToWarmUp
    this.isBeginning = framesToWarmUp === 0
  }

  /** Returns a segment that is finished. Frames are searched when the second after them is known, or by `flush`. */
  async add(samples: Float32Array): Promise<SpeechSegment | null> {
    const frame = this.gainControl.add(samples)
    return frame && this.search(frame)
  }

  /** The segments that are finished, after a search of all frames so far. */
  async *flush(): AsyncGenerator<SpeechSegment> {
    for (const frame of this.gainControl.flush()) {
      const segment = await this.search(frame)
      if (segment) yield segment
    }
  }

  private async search({ samples, levelled }: LevelledFrame): Promise<SpeechSegment | null> {
    const probability = await this.probabilityOf(levelled)
    if (this.framesToWarmUp > 0) {
      this.framesToWarmUp--
      return null
    }
    this.hold({ samples, probability })
    return this.takeFinished()
  }

  /** The speech that continues at the end of the frames that were searched. It stays held. */
  unfinished(): SpeechSegment | null {
    const segment = this.isSpeaking ? this.spoken() : null
    return segment && { ...segment, cutOff: { ...segment.cutOff, atEnd: this.silent < SHORTEST_PAUSE } }
  }

  /** Seconds; speech after it is not finished. */
  get finishedTo(): number {
    return this.timeOf(this.overlap)
  }

  /** Whether the unfinished speech continues the segment before without a pause. */
  get isContinued(): boolean {
    return this.overlap > 0
  }

  private hold(frame: Frame): void {
    this.frames.push(frame)
    if (frame.probability >= BEGINS_AT) {
      this.isSpeaking = true
      this.silent = 0
    } else if (frame.probability < ENDS_BELOW) this.silent++
    if (!this.isSpeaking) this.drop(this.frames.length - PAD)
  }

  private takeFinished(): SpeechSegment | null {
    if (!this.isSpeaking) return null
    const { pause = 0 } = PAUSES.find(({ from }) => this.frames.length - this.silent >= from) ?? {}
    if (this.silent < pause) return this.frames.length >= LONGEST ? this.split() : null
    const segment = this.spoken()
    this.drop(this.spokenLength())
    this.isSpeaking = false
    this.overlap = 0
    return segment
  }

  /** Up to the current pause. Half of a short one is left for the next segment. */
  private spokenLength(): number {
    return this.frames.length - this.silent + Math.min(PAD, Math.floor(this.silent / 2))
  }

  private spoken(): SpeechSegment | null {
    const length = this.spokenLength()
    const framesFrom = (least: number): number =>
      this.frames.filter(({ probability }) => probability >= least).length
    const isSpeech =
      framesFrom(ENDS_BELOW) >= SHORTEST && (framesFrom(SURE) > 0 || framesFrom(BEGINS_AT) >= SHORTEST)
    return this.overlap > 0 || isSpeech ? this.segment(length, length) : null
  }

  private split(): SpeechSegment {
    const at = leastLikely(this.frames, EARLIEST_SPLIT, LONGEST - OVERLAP)
    const segment = this.segment(at, at + OVERLAP)
    this.drop(at - OVERLAP)
    this.overlap = OVERLAP
    return segment
  }

  private segment(ownEnd: number, end: number): SpeechSegment {
    const samples = new Float32Array(end * FRAME)
    this.frames.slice(0, end).forEach((frame, index) => {
      samples.set(frame.samples, index * FRAME)
    })
    const overlap = secondsOf(this.overlap)
    const cutOff = { atStart: this.isCutAtStart() }
    const certain = this.frames.slice(0, end).filter(({ probability }) => probability >= CERTAIN)
    const isUncertain = certain.length < MIN_CERTAIN
    return {
      start: this.timeOf(this.overlap),
      end: this.timeOf(ownEnd),
      overlap,
      samples,
      isUncertain,
      cutOff,
    }
  }

  /** Whether the audio begins with the held speech: at a missing chunk, or because someone spoke before the recording began. */
  private isCutAtStart(): boolean {
    const begin = this.frames.findIndex(({ probability }) => probability >= BEGINS_AT)
    return this.isBeginning && this.first === 0 && begin <= SHORTEST_PAUSE
  }

  private timeOf(frame: number): number {
    return this.startSeconds + secondsOf(this.first + frame)
  }

  private drop(count: number): void {
    if (count <= 0) return
    this.frames.splice(0, count)
    this.first += count
  }
}

/** Averaged over three frames: a single low one can lie within a word. */
function leastLikely(frames: readonly Frame[], from: number, to: number): number {
  const around = (index: number): number =>
    (frames[index - 1]?.probability ?? 1) +
    (frames[index]?.probability ?? 1) +
    (frames[index + 1]?.probability ?? 1)
  let best = from
  for (let index = from; index < to; index++) if (around(index) <= around(best)) best = index
  return best
}
