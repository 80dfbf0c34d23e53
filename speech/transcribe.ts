import { decodeAudio } from '../media/decode/decode.ts'
import { type DecodeLimits, SAMPLE_RATE } from '../media/decode/limits.ts'
import { concatSamples } from '../media/decode/resample.ts'
import { MediaFailure } from '../media/failure.ts'
import type { Models } from './models/models.ts'
import { Recogniser } from './recognise.ts'
import { breakSentences } from './sentences/break-sentences.ts'
import { SpeechStream, type TranscribedAudio, warmUpBefore } from './speech-stream.ts'
import type { PreRollFile, ResumeRequest, Segment, TranscribeRequest, Transcription } from './types.ts'

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

/** A chunk after one that the worker remembers, as it is sent to a worker process. */
export type ResumeJob = Omit<ResumeRequest, 'signal'>

/** Decodes a file of a job without its first samples. */
export type DecodeFile = (file: AudioFile, skip: number) => AsyncIterable<Float32Array>
type AudioFile = Pick<Job, 'path' | 'container'>

/** Streams: audio is decoded, searched for speech and transcribed segment by segment, and never held as a whole. */
export async function transcribe(job: Job, setup: Setup): Promise<Transcription> {
  const { stream, decoding, finishedTo } = await openStream(job, setup)
  return transcriptionOf(await stream.transcribeAll(decoding.samples()), decoding, finishedTo)
}

/** `finishedTo`: when the transcription begins, in seconds. */
export async function openStream(job: Job, setup: Setup, decode: DecodeFile = decoderOf(setup)) {
  const preRoll = await decodePreRoll(job.preRoll ?? [], decode)
  const decoding = decodeJob(job, preRoll, decode)
  const createDetector = await setup.models.silero()
  const from = preRoll ? (preRoll.warmUp - preRoll.samples.length) / SAMPLE_RATE : job.from
  const warmUp = preRoll ? preRoll.warmUp : warmUpBefore(job.from)
  const finishedTo = Math.max(from, job.finishedTo ?? from)
  const start = { from, warmUp, finishedTo }
  const stream = new SpeechStream(createDetector(), createRecogniser(job, setup), start)
  return { stream, decoding, finishedTo }
}

/** A process for each file. */
export const decoderOf =
  (setup: Setup): DecodeFile =>
  (file, skip) =>
    decodeAudio({ ...file, ...setup, skip })

export const transcriptionOf = (
  { segments, finishedTo }: TranscribedAudio,
  { decoded, isWhole }: { decoded: number; isWhole: boolean },
  from: number,
): Transcription => ({
  language: mostSpoken(segments),
  duration: decoded / SAMPLE_RATE,
  isWhole,
  segments: breakSentences(inOrder(segments, from), decoded / SAMPLE_RATE),
  finishedTo: toMilliseconds(finishedTo),
})

const createRecogniser = (job: Job, setup: Setup): Recogniser =>
  new Recogniser({
    models: setup.models,
    // Only whisper accepts hotwords: with them six of seven names were right, without them one.
    usesMoonshine: setup.english === 'moonshine' && job.hotwords.length === 0,
    expected: job.language,
    spokenBefore: job.spokenBefore ?? null,
    candidates: job.candidates ?? [],
    hotwords: job.hotwords,
    onStep: () => {
      setup.signal.throwIfAborted()
      setup.onStep()
    },
  })

/** The language of most of the time; null without speech. */
function mostSpoken(segments: readonly Segment[]): string | null {
  const seconds = new Map<string, number>()
  for (const { start, end, language = '' } of segments)
    seconds.set(language, (seconds.get(language) ?? 0) + end - start)
  return [...seconds].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null
}

/** `decoded` counts samples, those before `from` included. `isWhole`: the end of the recording was reached. */
function decodeJob(job: Job, preRoll: PreRoll | null, decode: DecodeFile) {
  const skip = Math.round(job.from * SAMPLE_RATE) - warmUpBefore(job.from)
  const max = Math.round((job.until ?? Number.POSITIVE_INFINITY) * SAMPLE_RATE)
  const decoding = { samples, decoded: skip, isWhole: true }
  async function* samples(): AsyncGenerator<Float32Array> {
    if (preRoll) yield preRoll.samples
    for await (const block of decode(job, skip)) {
      const requested = block.subarray(0, max - decoding.decoded)
      decoding.isWhole = requested.length === block.length
      decoding.decoded += requested.length
      yield requested
      if (!decoding.isWhole) return
    }
  }
  return decoding
}

/** The first `warmUp` samples are not transcribed. */
interface PreRoll {
  samples: Float32Array
  warmUp: number
}

/** The end of earlier recordings, up to a minute. A recording that cannot be decoded is left out, with those before it. */
async function decodePreRoll(
  recordings: readonly PreRollFile[],
  decode: DecodeFile,
): Promise<PreRoll | null> {
  let blocks: Float32Array[] = []
  let warmUp = warmUpBefore(recordings[0]?.from ?? 0)
  for (const [n, { from, ...recording }] of recordings.entries())
    try {
      const skip = Math.round(from * SAMPLE_RATE) - (n === 0 ? warmUp : 0)
      for await (const block of decode(recording, skip)) blocks.push(block)
    } catch (error) {
      if (!(error instanceof MediaFailure)) throw error
      blocks = []
      warmUp = 0
    }
  const samples = concatSamples(...blocks)
  return samples.length > warmUp ? { samples, warmUp } : null
}

/** Rounds times to milliseconds, and lets no segment begin before the end of the one before it. */
function inOrder(segments: readonly Segment[], from: number): Segment[] {
  let end = toMilliseconds(from)
  return segments.map((segment) => {
    const start = Math.max(end, toMilliseconds(segment.start))
    end = Math.max(start, toMilliseconds(segment.end))
    return { ...segment, start, end }
  })
}

const toMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000
