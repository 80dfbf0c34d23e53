import { decodeAudio } from '../media/decode/decode.ts'
import { framesOf } from '../media/decode/frames.ts'
import { type DecodeLimits, SAMPLE_RATE } from '../media/decode/limits.ts'
import { joined } from '../media/decode/resample.ts'
import type { Container, Lead, Segment, Transcription } from '../server/transcription/transcriber.ts'
import { SpeechFailure } from './failure.ts'
import { joinAtSeam } from './join-windows.ts'
import type { Models } from './models/models.ts'
import { findSpeech, type Stretch } from './vad/find-speech.ts'
import { FRAME } from './vad/silero.ts'
import { type Pack, packed, packOf } from './whisper/pack.ts'

export interface Job {
  path: string
  container: Container
  language: string | null
  /** Which it may be, where it is found out; none: any. */
  candidates?: readonly string[]
  hotwords: string[]
  from: number
  /** Left out: up to its end. */
  until?: number
  lead?: readonly Lead[]
}

export interface Setup {
  models: Models
  ffmpeg: string | null
  limits: DecodeLimits
  /** Which model hears English. */
  english: 'moonshine' | 'whisper'
  signal: AbortSignal
  /** After each piece of work: the job is alive. */
  onStep(): void
}

/** The segments of one window, and how many seconds of sound it shares with the one before. */
interface Heard {
  segments: Segment[]
  lead: number
}

/** Sound flows through: decoded, searched for speech, and transcribed stretch by stretch, never as a whole. */
export async function transcribe(job: Job, setup: Setup): Promise<Transcription> {
  const lead = await decodeLead(job.lead ?? [], setup)
  const sound = soundOf(job, lead, setup)
  const silero = await setup.models.silero()
  const from = lead.length > 0 ? -lead.length / SAMPLE_RATE : job.from
  const speech = findSpeech(framesOf(sound.pieces(), FRAME), silero.listen(), from)
  const { language, stretches } = await withLanguage(speech, job, setup)
  // Only whisper can be told names: six of seven came right with them, and one without.
  const isForMoonshine = language === 'en' && setup.english === 'moonshine' && job.hotwords.length === 0
  const windows = isForMoonshine ? byMoonshine(stretches, setup) : byWhisper(stretches, language, job, setup)
  const segments = await joinWindows(windows, setup)
  return {
    language: segments.length > 0 ? language : null,
    duration: sound.decoded / SAMPLE_RATE,
    isWhole: sound.isWhole,
    segments: inOrder(segments, from),
  }
}

/** A recording as it is decoded: how far, and whether to its end, is known when it has been heard. */
interface Sound {
  pieces(): AsyncGenerator<Float32Array>
  decoded: number
  isWhole: boolean
}

function soundOf(job: Job, lead: Float32Array, setup: Setup): Sound {
  const skip = Math.round(job.from * SAMPLE_RATE)
  const most = Math.round((job.until ?? Number.POSITIVE_INFINITY) * SAMPLE_RATE)
  const sound = { pieces, decoded: skip, isWhole: true }
  async function* pieces(): AsyncGenerator<Float32Array> {
    if (lead.length > 0) yield lead
    for await (const piece of decodeAudio({ ...job, ...setup, skip })) {
      const asked = piece.subarray(0, most - sound.decoded)
      sound.isWhole = asked.length === piece.length
      sound.decoded += asked.length
      yield asked
      if (!sound.isWhole) return
    }
  }
  return sound
}

/** The end of what was recorded before: some seconds, so it is held. Without what can't be decoded any more, and all before it. */
async function decodeLead(recordings: readonly Lead[], setup: Setup): Promise<Float32Array> {
  let pieces: Float32Array[] = []
  for (const { from, ...recording } of recordings)
    try {
      const skip = Math.round(from * SAMPLE_RATE)
      for await (const piece of decodeAudio({ ...recording, ...setup, skip })) pieces.push(piece)
    } catch (error) {
      if (!(error instanceof SpeechFailure)) throw error
      pieces = []
    }
  return joined(...pieces)
}

/** Found out from the first speech, as much as whisper can look at; nothing of it is lost to the transcript. */
async function withLanguage(
  speech: AsyncGenerator<Stretch>,
  { language: given, candidates = [] }: Job,
  setup: Setup,
): Promise<{ language: string; stretches: AsyncIterable<Stretch> }> {
  if (given !== null) return { language: given, stretches: speech }
  const taken: Stretch[] = []
  const first = (await packed(remembered(speech, taken)).next()).value
  if (!first) return { language: 'en', stretches: speech }
  const whisper = await setup.models.whisper()
  const language = await whisper.languageOf(await whisper.hear(packOf(first.stretches).samples), candidates)
  return { language, stretches: chained(taken, speech) }
}

/** Read by hand, since leaving a `for await` would end the source. */
async function* remembered(speech: AsyncGenerator<Stretch>, taken: Stretch[]): AsyncGenerator<Stretch> {
  for (let next = await speech.next(); !next.done; next = await speech.next()) {
    taken.push(next.value)
    yield next.value
  }
}

async function* chained(first: Stretch[], rest: AsyncGenerator<Stretch>): AsyncGenerator<Stretch> {
  yield* first
  yield* rest
}

async function* byMoonshine(stretches: AsyncIterable<Stretch>, setup: Setup): AsyncGenerator<Heard> {
  for await (const { start, end, lead, samples } of stretches) {
    const text = await (await setup.models.moonshine()).transcribe(samples)
    yield { segments: text === '' ? [] : [{ start, end, text }], lead }
  }
}

async function* byWhisper(
  stretches: AsyncIterable<Stretch>,
  language: string,
  { hotwords }: Job,
  setup: Setup,
): AsyncGenerator<Heard> {
  for await (const pack of packed(stretches)) {
    const whisper = await setup.models.whisper()
    const seconds = pack.samples.length / SAMPLE_RATE
    const phrases = await whisper.transcribe(await whisper.hear(pack.samples), seconds, language, hotwords)
    yield { segments: phrases.map((phrase) => segmentOf(phrase, pack)), lead: leadOf(pack) }
  }
}

const segmentOf = ({ start, end, text }: Segment, pack: Pack): Segment => ({
  start: pack.timeAt(start, 'start'),
  end: pack.timeAt(end, 'end'),
  text,
})

const leadOf = ({ stretches }: Pack): number => stretches[0]?.lead ?? 0

async function joinWindows(windows: AsyncIterable<Heard>, setup: Setup): Promise<Segment[]> {
  const done: Segment[] = []
  let last: Segment[] = []
  for await (const { segments, lead } of windows) {
    setup.signal.throwIfAborted()
    setup.onStep()
    if (lead === 0) done.push(...last.splice(0))
    last = lead > 0 ? joinAtSeam(last, segments, lead) : segments
  }
  return [...done, ...last]
}

/** To the millisecond, and no segment before the end of the one before it. */
function inOrder(segments: readonly Segment[], from: number): Segment[] {
  let end = toMilliseconds(from)
  return segments.map((segment) => {
    const start = Math.max(end, toMilliseconds(segment.start))
    end = Math.max(start, toMilliseconds(segment.end))
    return { start, end, text: segment.text }
  })
}

const toMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000
