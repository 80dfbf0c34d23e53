import { SAMPLE_RATE } from '../media/decode/limits.ts'
import { concatSamples } from '../media/decode/resample.ts'
import { joinWindows } from './join-windows.ts'
import { isClipped } from './levels/clipped.ts'
import { evenOut } from './levels/even-out.ts'
import { isFaint } from './levels/faint.ts'
import type { Recogniser, TranscribedWindow } from './recognise.ts'
import type { Segment } from './types.ts'
import { type Detector, SpeechFinder, type SpeechSegment } from './vad/find-speech.ts'
import { FRAME } from './vad/silero.ts'
import { UntranscribedSpeech } from './vad/untranscribed-speech.ts'

/** `finishedTo`: segments that begin after it can change when the audio continues. */
export interface TranscribedAudio {
  segments: Segment[]
  finishedTo: number
}

/** A detector that begins within speech misses the first word, so it is fed up to this much audio before. */
const WARM_UP = 31 * FRAME

/** How much audio to decode before a beginning, in samples. */
export const warmUpBefore = (from: number): number =>
  Math.min(WARM_UP, FRAME * Math.floor((from * SAMPLE_RATE) / FRAME))

interface StreamStart {
  /** Seconds: where the search for speech begins. */
  from: number
  /** How many samples before it are for the voice detection only. */
  warmUp: number
  /** Seconds: speech before it was transcribed earlier. Default: `from`. */
  finishedTo?: number
}

/** Audio that arrives block by block, with the speech that is not finished at its end. */
export class SpeechStream {
  private readonly finder: SpeechFinder
  private readonly recogniser: Recogniser
  /** Samples of a frame that is not complete. */
  private rest = new Float32Array(0)
  /** At the beginning, so that frames begin where they did when the audio was transcribed earlier. */
  private samplesToSkip: number
  private readonly finishedTo: number
  private readonly untranscribed: UntranscribedSpeech
  /** The segments of the last window, if speech continues after it without a pause: the next window is joined to them. */
  private joined: Segment[] = []
  /** The segments of the window before it, if both share audio. Words that both have are kept there. */
  private before: Segment[] = []

  constructor(detector: Detector, recogniser: Recogniser, { from, warmUp, finishedTo = from }: StreamStart) {
    this.samplesToSkip = Math.round((finishedTo - from) * SAMPLE_RATE) % FRAME
    this.finder = new SpeechFinder(detector, from + this.samplesToSkip / SAMPLE_RATE, warmUp / FRAME)
    this.recogniser = recogniser
    this.finishedTo = finishedTo
    this.untranscribed = new UntranscribedSpeech(finishedTo)
  }

  /** The whole rest of the audio. */
  async transcribeAll(blocks: AsyncIterable<Float32Array>): Promise<TranscribedAudio> {
    const done = await this.join(this.recogniser.windows(withEvenLevels(this.allSpeech(blocks))))
    const [before] = this.finder.isContinued ? this.before : []
    return this.transcribed([...done, ...this.joined], before)
  }

  /** More audio, which is not the end. Unfinished speech is transcribed, and again with the next call. */
  async transcribeSoFar(blocks: AsyncIterable<Float32Array>): Promise<TranscribedAudio> {
    const done = await this.join(this.recogniser.windows(withEvenLevels(this.finishedSpeech(blocks))))
    const last = await this.joinUnfinished()
    if (!this.finder.isContinued) this.joined = []
    return this.transcribed([...done, ...last], this.joined[0])
  }

  /** `unfinished`: the first segment that can change. The window before `finishedTo` is transcribed only to be joined. */
  private transcribed(segments: readonly Segment[], unfinished: Segment | undefined): TranscribedAudio {
    return {
      segments: segments.filter(({ start, end }) => (start + end) / 2 >= this.finishedTo),
      finishedTo: Math.max(this.finishedTo, unfinished?.start ?? this.finder.finishedTo),
    }
  }

  /** In windows without finished speech: a phrase that spans both would change what is finished. */
  private async joinUnfinished(): Promise<Segment[]> {
    const speech = this.unfinishedSpeech()
    let last = this.joined
    if (speech.length === 0) return last
    const recogniser = this.recogniser.forUnfinished()
    for await (const { segments, overlap } of recogniser.windows(withEvenLevels(each(speech))))
      last = overlap > 0 ? joinWindows(last, segments, overlap) : [...last, ...segments]
    return last
  }

  private async *allSpeech(blocks: AsyncIterable<Float32Array>): AsyncGenerator<SpeechSegment> {
    yield* this.finishedSpeech(blocks)
    const rest = this.rest.length
    if (rest > 0) yield* this.finishedSpeech(each([new Float32Array(FRAME - rest)]))
    yield* this.unfinishedSpeech()
  }

  private unfinishedSpeech(): SpeechSegment[] {
    const speech = this.finder.unfinished()
    return speech ? this.untranscribed.of(speech) : []
  }

  private async *finishedSpeech(blocks: AsyncIterable<Float32Array>): AsyncGenerator<SpeechSegment> {
    for await (const block of blocks) {
      const skipped = Math.min(this.samplesToSkip, block.length)
      this.samplesToSkip -= skipped
      const samples = concatSamples(this.rest, block.subarray(skipped))
      let at = 0
      for (; at + FRAME <= samples.length; at += FRAME) {
        const segment = await this.finder.add(samples.slice(at, at + FRAME))
        if (segment) yield* this.untranscribed.add(segment)
      }
      this.rest = samples.slice(at)
    }
    for await (const segment of this.finder.flush()) yield* this.untranscribed.add(segment)
  }

  /** Returns the segments that do not change any more. */
  private async join(windows: AsyncIterable<TranscribedWindow>): Promise<Segment[]> {
    const done: Segment[] = []
    for await (const { segments, overlap } of windows) {
      this.before = overlap > 0 ? this.joined : []
      const all = overlap > 0 ? joinWindows(this.joined, segments, overlap) : [...this.joined, ...segments]
      const own = all.findIndex(({ end }) => segments.some((segment) => segment.end === end))
      done.push(...all.splice(0, own < 0 ? 0 : own))
      this.joined = all
    }
    return done
  }
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

async function* withEvenLevels(speech: AsyncIterable<SpeechSegment>): AsyncGenerator<SpeechSegment> {
  for await (const segment of speech) {
    const { samples } = segment
    yield { ...segment, samples: evenOut(samples), isFaint: isFaint(samples), isClipped: isClipped(samples) }
  }
}
