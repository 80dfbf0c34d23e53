import { readFile } from 'node:fs/promises'
import { EngineFailure, RETRYABLE } from '../../server/engines/engine-failure.ts'
import type { Segment, Transcriber, Transcription } from '../../server/transcription/transcriber.ts'
import { wavHead } from './wav.ts'

/** Samples per second. Each sample is its own time in milliseconds, so that any part of a recording shows when it was recorded. */
const RATE = 1_000
const HEAD_BYTES = 44

interface Word {
  start: number
  end: number
  text: string
}

/** The words between two pauses. */
export type Phrase = Word[]

const WORD_MS = 400
const PAUSE_MS = 700

/** Phrases with these numbers of words. All words differ. */
export function speak(counts: readonly number[]): Phrase[] {
  let [at, number] = [PAUSE_MS, 0]
  return counts.map((count) => {
    const phrase = Array.from({ length: count }, () => {
      const word = { start: at, end: at + WORD_MS, text: nameOf(number++) }
      at = word.end
      return word
    })
    at += PAUSE_MS
    return phrase
  })
}

/** A different word for each number. */
const nameOf = (number: number): string =>
  ['ba', 'de', 'fi', 'go', 'hu', 'ka', 'le', 'mi', 'no', 'pu']
    .map((syllable, index) => syllable.at((number >> index) & 1) ?? '')
    .join('')
    .concat(number.toString(36))

/** Milliseconds, including the pause at the end. */
export const lengthOf = (phrases: readonly Phrase[]): number => (phrases.at(-1)?.at(-1)?.end ?? 0) + PAUSE_MS

/** The recording from one millisecond to another, as a WAV file; without a header it continues an earlier one. */
export function recordClock(from: number, to: number, hasHead = true): Buffer {
  const data = Buffer.alloc((to - from) * 4)
  for (let ms = from; ms < to; ms++) data.writeUInt32LE(ms, (ms - from) * 4)
  return hasHead ? Buffer.concat([wavHead({ rate: RATE, bits: 32, dataBytes: data.length }), data]) : data
}

export interface WordClock extends Transcriber {
  /** The start and end of each transcription, in milliseconds. */
  readonly ranges: [from: number, to: number][]
  /** Transcription of anything after this time fails as unreadable. */
  brokenFrom: number
  /** A transcription that ends between these times fails as unavailable. */
  failsFrom: number
  failsTo: number
  /** Detects speech, and returns no text for a phrase that is truncated at the end of the audio. */
  omitsUnfinished: boolean
  /** If set, it detects speech, and a phrase becomes several segments of so many words. */
  wordsPerSegment: number | null
  /** If set, it detects speech, and loses the first phrase of a transcription unless it gets so much audio before it. */
  neededContextMs: number | null
  /** How many chunks were transcribed with what the engine remembered of the conversation. It remembers only if this is set. */
  resumed: number | null
  /** The next transcriptions wait until the returned function is called. */
  hold(): () => void
}

/** Transcribes recordings of the clock like a speech engine: a word that is cut off becomes a different word. */
export function wordClock(phrases: readonly Phrase[], concurrency = 2): WordClock {
  let gate: Promise<void> = Promise.resolve()
  /** The position of the last chunk of each live conversation. */
  const remembered = new Map<string, string>()

  /** Times in the result count from `zero`, where the file begins. */
  async function transcribeClock(
    line: Uint32Array,
    zero: number,
    duration: number,
    isWhole: boolean,
    transcribedTo = line[0] ?? 0,
  ): Promise<Transcription> {
    const [first, end] = [transcribedTo, (line.at(-1) ?? -1) + 1]
    const context = line[0] === 0 ? Number.POSITIVE_INFINITY : first - (line[0] ?? 0)
    const isForgetful = engine.neededContextMs !== null && context < engine.neededContextMs
    engine.ranges.push([first, end])
    await gate
    if (end > engine.brokenFrom) throw new EngineFailure('unreadable', 'requested by the test')
    if (end > engine.failsFrom && end <= engine.failsTo)
      throw new EngineFailure('unavailable', 'requested by the test')
    const inFile = (ms: number): number => (ms - zero) / 1000
    const unfinished = phrases.find((phrase) => isTruncated(phrase, end))
    const finishedTo = Math.max(first, unfinished?.[0]?.start ?? end)
    const segments = phrases
      .slice(isForgetful ? phrases.findIndex((phrase) => (phrase.at(-1)?.end ?? 0) > first) + 1 : 0)
      .flatMap((phrase) => splitInto(phrase, engine.wordsPerSegment ?? phrase.length))
      .flatMap((words) => segmentOf(words, first, end) ?? [])
      .filter(({ start }) => !engine.omitsUnfinished || start < finishedTo)
      .map(({ start, end, text }) => ({ start: inFile(start), end: inFile(end), text }))
    const isDetected =
      engine.omitsUnfinished || engine.wordsPerSegment !== null || engine.neededContextMs !== null
    const detected = isDetected && { finishedTo: inFile(finishedTo) }
    return { language: 'en', duration, isWhole, segments, ...detected }
  }

  const engine: WordClock = {
    ranges: [],
    brokenFrom: Number.POSITIVE_INFINITY,
    failsFrom: 0,
    failsTo: 0,
    omitsUnfinished: false,
    wordsPerSegment: null,
    neededContextMs: null,
    resumed: null,
    capabilities: {
      name: 'word clock',
      languages: 'any',
      detectsLanguage: true,
      timestamps: true,
      parts: true,
      preRoll: true,
      get context() {
        return engine.neededContextMs !== null
      },
      hotwords: false,
      retryable: RETRYABLE,
      concurrency,
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
    async transcribe({ path, from, until = Number.POSITIVE_INFINITY, preRoll = [], finishedTo, live }) {
      const own = await clockOf(path)
      if (live && engine.resumed !== null) remembered.set(live.conversation, live.position)
      const before = await Promise.all(
        preRoll.map(async (one) => (await clockOf(one.path)).slice(one.from * RATE)),
      )
      const line = concat([...before, own.slice(from * RATE, until * RATE)])
      const isWhole = until * RATE >= own.length
      const zero = own[0] ?? 0
      const transcribedTo = finishedTo === undefined ? undefined : zero + finishedTo * RATE
      return transcribeClock(line, zero, isWhole ? own.length / RATE : until, isWhole, transcribedTo)
    },
    async resume({ path, from, live, isContinued }) {
      if (live.after === null || remembered.get(live.conversation) !== live.after) return null
      engine.resumed = (engine.resumed ?? 0) + 1
      remembered.set(live.conversation, live.position)
      const own = await clockOf(path, isContinued ? 0 : HEAD_BYTES)
      // It remembers the clock, so it needs no file of the audio before.
      const zero = own[0] ?? 0
      const before = Uint32Array.from({ length: Math.round(-from * RATE) }, (_, n) => zero + from * RATE + n)
      return transcribeClock(concat([before, own]), zero, own.length / RATE, true)
    },
    close: async () => {},
  }
  return engine
}

async function clockOf(path: string, headBytes = HEAD_BYTES): Promise<Uint32Array> {
  const bytes = new Uint8Array((await readFile(path)).subarray(headBytes))
  return new Uint32Array(bytes.buffer, 0, Math.floor(bytes.length / 4))
}

function concat(parts: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

const isTruncated = (phrase: Phrase, end: number): boolean =>
  (phrase[0]?.start ?? end) < end && (phrase.at(-1)?.end ?? end) > end

const splitInto = (phrase: Phrase, size: number): Phrase[] =>
  Array.from({ length: Math.ceil(phrase.length / size) }, (_, n) => phrase.slice(n * size, (n + 1) * size))

function segmentOf(phrase: Phrase, from: number, to: number): Segment | null {
  const words = phrase.filter(({ start, end }) => end > from && start < to)
  const [first, last] = [words[0], words.at(-1)]
  if (!first || !last) return null
  const text = words.map(({ start, end, text }) =>
    start >= from && end <= to ? text : `${text.slice(0, 2)}zz`,
  )
  return { start: Math.max(from, first.start), end: Math.min(to, last.end), text: text.join(' ') }
}
