import { decodeAudio } from '../media/decode/decode.ts'
import { chain, framesOf } from '../media/decode/frames.ts'
import { type DecodeLimits, SAMPLE_RATE } from '../media/decode/limits.ts'
import { concatSamples } from '../media/decode/resample.ts'
import { MediaFailure } from '../media/failure.ts'
import { joinWindows } from './join-windows.ts'
import type { Models } from './models/models.ts'
import type { PreRollFile, Segment, TranscribeRequest, Transcription } from './types.ts'
import { findSpeech, type SpeechSegment } from './vad/find-speech.ts'
import { FRAME } from './vad/silero.ts'
import { packed, packOf } from './whisper/pack.ts'

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

/** The segments of one window, and how many seconds of audio it shares with the one before. */
interface TranscribedWindow {
  segments: Segment[]
  overlap: number
}

/** Streams: audio is decoded, searched for speech and transcribed segment by segment, and never held as a whole. */
export async function transcribe(job: Job, setup: Setup): Promise<Transcription> {
  const preRoll = await decodePreRoll(job.preRoll ?? [], setup)
  const decoding = decodeJob(job, preRoll, setup)
  const createDetector = await setup.models.silero()
  const from = preRoll.length > 0 ? -preRoll.length / SAMPLE_RATE : job.from
  const speech = findSpeech(framesOf(decoding.samples(), FRAME), createDetector(), from)
  const { language, segments: found } = await withLanguage(speech, job, setup)
  // Only whisper accepts hotwords: with them six of seven names were right, without them one.
  const usesMoonshine = language === 'en' && setup.english === 'moonshine' && job.hotwords.length === 0
  const windows = usesMoonshine ? byMoonshine(found, setup) : byWhisper(found, language, job, setup)
  const segments = await joinAllWindows(windows, setup)
  return {
    language: segments.length > 0 ? language : null,
    duration: decoding.decoded / SAMPLE_RATE,
    isWhole: decoding.isWhole,
    segments: inOrder(segments, from),
  }
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

/** Detects the language from the first speech, as much as one whisper window holds. */
async function withLanguage(
  speech: AsyncGenerator<SpeechSegment>,
  { language: given, candidates = [] }: Job,
  setup: Setup,
): Promise<{ language: string; segments: AsyncIterable<SpeechSegment> }> {
  if (given !== null) return { language: given, segments: speech }
  const taken: SpeechSegment[] = []
  const first = (await packed(recordTo(taken, speech)).next()).value
  if (!first) return { language: 'en', segments: speech }
  const whisper = await setup.models.whisper()
  const language = await whisper.languageOf(await whisper.encode(packOf(first.segments).samples), candidates)
  return { language, segments: chain(taken, speech) }
}

/** Calls `next` itself, because leaving a `for await` would end the source. */
async function* recordTo(
  taken: SpeechSegment[],
  speech: AsyncGenerator<SpeechSegment>,
): AsyncGenerator<SpeechSegment> {
  for (let next = await speech.next(); !next.done; next = await speech.next()) {
    taken.push(next.value)
    yield next.value
  }
}

async function* byMoonshine(
  speech: AsyncIterable<SpeechSegment>,
  setup: Setup,
): AsyncGenerator<TranscribedWindow> {
  for await (const { start, end, overlap, samples } of speech) {
    const transcribeEnglish = await setup.models.moonshine()
    const text = await transcribeEnglish(samples)
    yield { segments: text === '' ? [] : [{ start, end, text }], overlap }
  }
}

async function* byWhisper(
  speech: AsyncIterable<SpeechSegment>,
  language: string,
  { hotwords }: Job,
  setup: Setup,
): AsyncGenerator<TranscribedWindow> {
  for await (const pack of packed(speech)) {
    const whisper = await setup.models.whisper()
    const seconds = pack.samples.length / SAMPLE_RATE
    const phrases = await whisper.transcribe(await whisper.encode(pack.samples), seconds, language, hotwords)
    const overlap = pack.segments[0]?.overlap ?? 0
    const inRecording = ({ start, end, text }: Segment): Segment => ({
      start: pack.timeAt(start, 'start'),
      end: pack.timeAt(end, 'end'),
      text,
    })
    yield { segments: phrases.map(inRecording), overlap }
  }
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
    return { start, end, text: segment.text }
  })
}

const toMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000
