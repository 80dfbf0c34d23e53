import { readFile } from 'node:fs/promises'
import { EngineFailure, RETRYABLE } from '../../server/engines/engine-failure.ts'
import type { Segment, Transcriber } from '../../server/transcription/transcriber.ts'
import { wavHead } from './wav.ts'

/** Samples a second: each tells the time of a clock, in milliseconds, so that any piece of sound knows when it was recorded. */
const RATE = 1_000
const HEAD_BYTES = 44

interface Word {
  start: number
  end: number
  text: string
}

/** Said in one breath. */
export type Breath = Word[]

/** So long is a word, in milliseconds, and the pause between two breaths. */
const WORD_MS = 400
const PAUSE_MS = 700

/** Breaths of so many words each, one after the other; every word is another. */
export function speak(counts: readonly number[]): Breath[] {
  let [at, number] = [PAUSE_MS, 0]
  return counts.map((count) => {
    const breath = Array.from({ length: count }, () => {
      const word = { start: at, end: at + WORD_MS, text: nameOf(number++) }
      at = word.end
      return word
    })
    at += PAUSE_MS
    return breath
  })
}

/** Letters alone, no two of them alike. */
const nameOf = (number: number): string =>
  ['ba', 'de', 'fi', 'go', 'hu', 'ka', 'le', 'mi', 'no', 'pu']
    .map((syllable, place) => syllable.at((number >> place) & 1) ?? '')
    .join('')
    .concat(number.toString(36))

/** The end of the last pause. */
export const lengthOf = (breaths: readonly Breath[]): number => (breaths.at(-1)?.at(-1)?.end ?? 0) + PAUSE_MS

/** A recording of the clock, from one millisecond to another, as a WAV; without its head it continues one. */
export function recordClock(from: number, to: number, hasHead = true): Buffer {
  const data = Buffer.alloc((to - from) * 4)
  for (let ms = from; ms < to; ms++) data.writeUInt32LE(ms, (ms - from) * 4)
  return hasHead ? Buffer.concat([wavHead({ rate: RATE, bits: 32, dataBytes: data.length }), data]) : data
}

export interface WordClock extends Transcriber {
  /** Of the clock, in milliseconds: where each hearing began and ended, in order. */
  readonly heard: [from: number, to: number][]
  /** What was recorded from here on can't be read. */
  brokenFrom: number
  /** A hearing that ends after the one and not after the other fails as if the engine were away. */
  failsFrom: number
  failsTo: number
  /** The next hearings wait until the returned function is called. */
  hold(): () => void
}

/**
 * Hears recordings of the clock as an engine hears people: a breath is a phrase, and a word of which it gets a part only is heard
 * as another. For tests alone.
 */
export function wordClock(breaths: readonly Breath[], concurrency = 2): WordClock {
  let gate: Promise<void> = Promise.resolve()
  const engine: WordClock = {
    heard: [],
    brokenFrom: Number.POSITIVE_INFINITY,
    failsFrom: 0,
    failsTo: 0,
    capabilities: {
      name: 'word clock',
      languages: 'any',
      detectsLanguage: true,
      timestamps: true,
      parts: true,
      preRoll: true,
      hotwords: false,
      retryable: RETRYABLE,
      concurrency,
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
    async transcribe({ path, from, until = Number.POSITIVE_INFINITY, preRoll: lead = [] }) {
      const own = await clockOf(path)
      const before = await Promise.all(
        lead.map(async (one) => (await clockOf(one.path)).slice(one.from * RATE)),
      )
      const line = [...before.flat(), ...own.slice(from * RATE, until * RATE)]
      const [first, end] = [line[0] ?? 0, (line.at(-1) ?? -1) + 1]
      engine.heard.push([first, end])
      await gate
      if (end > engine.brokenFrom) throw new EngineFailure('unreadable', 'as the test says')
      if (end > engine.failsFrom && end <= engine.failsTo)
        throw new EngineFailure('unavailable', 'as the test says')
      // The file's beginning is its time 0.
      const zero = own[0] ?? 0
      const isWhole = until * RATE >= own.length
      const segments = phrasesIn(breaths, first, end).map(({ start, end, text }) => ({
        start: (start - zero) / 1000,
        end: (end - zero) / 1000,
        text,
      }))
      return { language: 'en', duration: isWhole ? own.length / RATE : until, isWhole, segments }
    },
    close: async () => {},
  }
  return engine
}

async function clockOf(path: string): Promise<number[]> {
  const bytes = (await readFile(path)).subarray(HEAD_BYTES)
  return Array.from({ length: bytes.length / 4 }, (_, place) => bytes.readUInt32LE(place * 4))
}

function phrasesIn(breaths: readonly Breath[], from: number, to: number): Segment[] {
  return breaths.flatMap((breath) => {
    const words = breath.filter(({ start, end }) => end > from && start < to)
    const [first, last] = [words[0], words.at(-1)]
    if (!first || !last) return []
    const text = words.map(({ start, end, text }) =>
      start >= from && end <= to ? text : `${text.slice(0, 2)}zz`,
    )
    return [{ start: Math.max(from, first.start), end: Math.min(to, last.end), text: text.join(' ') }]
  })
}
