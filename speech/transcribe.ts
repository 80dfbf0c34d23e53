import { decodeAudio } from '../media/decode/decode.ts'
import { framesOf } from '../media/decode/frames.ts'
import { type DecodeLimits, SAMPLE_RATE } from '../media/decode/limits.ts'
import { concatSamples } from '../media/decode/resample.ts'
import { MediaFailure } from '../media/failure.ts'
import { joinWindows } from './join-windows.ts'
import { evenOut } from './levels/even-out.ts'
import type { Models } from './models/models.ts'
import { Recogniser, type TranscribedWindow } from './recognise.ts'
import { breakSentences } from './sentences/break-sentences.ts'
import type { PreRollFile, Segment, TranscribeRequest, Transcription } from './types.ts'
import { findSpeech, type SpeechSegment } from './vad/find-speech.ts'
import { FRAME } from './vad/silero.ts'

/** A request as it is sent to a worker process. */
export type Job = Omit<TranscribeRequest, 'signal'>

export interface Setup {
  models: Models
  ffmpeg: string | null
  limits: DecodeLimits
  /** The model for English. */
  english: 'moonshine' | 'whisper'
  signal: AbortSignal
  /** Called after each step, to show that the job makes progress. */
  onStep(): void
}

/** Streams: audio is decoded, searched for speech and transcribed segment by segment, and never held as a whole. */
export async function transcribe(job: Job, setup: Setup): Promise<Transcription> {
  const preRoll = await decodePreRoll(job.preRoll ?? [], setup)
  const decoding = decodeJob(job, preRoll, setup)
  const createDetector = await setup.models.silero()
  const from = preRoll.length > 0 ? -preRoll.length / SAMPLE_RATE : job.from
  const speech = findSpeech(framesOf(decoding.samples(), FRAME), createDetector(), from)
  const recogniser = new Recogniser({
    models: setup.models,
    // Only whisper accepts hotwords: with them six of seven names were right, without them one.
    usesMoonshine: setup.english === 'moonshine' && job.hotwords.length === 0,
    expected: job.language,
    candidates: job.candidates ?? [],
    hotwords: job.hotwords,
    onStep: () => {
      setup.signal.throwIfAborted()
      setup.onStep()
    },
  })
  const segments = await joinAllWindows(recogniser.windows(withEvenLevels(speech)), setup)
  const duration = decoding.decoded / SAMPLE_RATE
  return {
    language: mostSpoken(segments),
    duration,
    isWhole: decoding.isWhole,
    segments: breakSentences(inOrder(segments, from), duration),
  }
}

async function* withEvenLevels(speech: AsyncIterable<SpeechSegment>): AsyncGenerator<SpeechSegment> {
  for await (const segment of speech) yield { ...segment, samples: evenOut(segment.samples) }
}

/** The language of most of the time; null without speech. */
function mostSpoken(segments: readonly Segment[]): string | null {
  const seconds = new Map<string, number>()
  for (const { start, end, language = '' } of segments)
    seconds.set(language, (seconds.get(language) ?? 0) + end - start)
  return [...seconds].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null
}

/** `decoded` counts samples, those before `from` included. `isWhole`: the end of the recording was reached. */
function decodeJob(job: Job, preRoll: Float32Array, setup: Setup) {
  const skip = Math.round(job.from * SAMPLE_RATE)
  const max = Math.round((job.until ?? Number.POSITIVE_INFINITY) * SAMPLE_RATE)
  const decoding = { samples, decoded: skip, isWhole: true }
  async function* samples(): AsyncGenerator<Float32Array> {
    if (preRoll.length > 0) yield preRoll
    for await (const block of decodeAudio({ ...job, ...setup, skip })) {
      const requested = block.subarray(0, max - decoding.decoded)
      decoding.isWhole = requested.length === block.length
      decoding.decoded += requested.length
      yield requested
      if (!decoding.isWhole) return
    }
  }
  return decoding
}

/** The end of earlier recordings, a few seconds. A recording that cannot be decoded is left out, with those before it. */
async function decodePreRoll(recordings: readonly PreRollFile[], setup: Setup): Promise<Float32Array> {
  let blocks: Float32Array[] = []
  for (const { from, ...recording } of recordings)
    try {
      const skip = Math.round(from * SAMPLE_RATE)
      for await (const block of decodeAudio({ ...recording, ...setup, skip })) blocks.push(block)
    } catch (error) {
      if (!(error instanceof MediaFailure)) throw error
      blocks = []
    }
  return concatSamples(...blocks)
}

async function joinAllWindows(windows: AsyncIterable<TranscribedWindow>, setup: Setup): Promise<Segment[]> {
  const done: Segment[] = []
  let last: Segment[] = []
  for await (const { segments, overlap } of windows) {
    setup.signal.throwIfAborted()
    setup.onStep()
    if (overlap === 0) done.push(...last.splice(0))
    last = overlap > 0 ? joinWindows(last, segments, overlap) : segments
  }
  return [...done, ...last]
}

/** To the millisecond, and no segment begins before the end of the one before it. */
function inOrder(segments: readonly Segment[], from: number): Segment[] {
  let end = toMilliseconds(from)
  return segments.map((segment) => {
    const start = Math.max(end, toMilliseconds(segment.start))
    end = Math.max(start, toMilliseconds(segment.end))
    return { ...segment, start, end }
  })
}

const toMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000
