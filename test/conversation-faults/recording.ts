import { hash } from 'node:crypto'
import type { Random } from '../faults/random.ts'
import { wavHead } from '../support/wav.ts'

/** A recording of which the phone knows every byte and every word. */
export interface Recording {
  /** In the order of their numbers. */
  chunks: Chunk[]
  lines: string[]
}

export interface Chunk {
  bytes: Buffer
  /** SHA-256, in hexadecimal digits. */
  digest: string
}

/** Said in every line, so that a log that quotes anything is found. */
export const CANARY = 'quillwort'
const WORDS = ['bridge', 'garden', 'library', 'market', 'school', 'river', 'station', 'meadow', 'harbour']
const LINES_PER_CHUNK = 2

export const RATE = 16_000
const SAMPLES_PER_MS = RATE / 1000
/** Words are samples from here on, a byte each; below are silence and noise. */
const WORD_FLOOR = 256

/**
 * Each chunk is a WAV of its own; or, `isLive`, the first is the head of one endless WAV and the others continue it, as
 * browsers record.
 */
export function newRecording(name: string, count: number, isLive: boolean, random: Random): Recording {
  const said = Array.from({ length: count }, (_, seq) => linesOf(name, seq, random))
  const chunks = said.map((lines, seq) => {
    const samples = speak(lines, random)
    if (!isLive) return chunkOf(headOf(samples.length), samples)
    return seq === 0 ? chunkOf(headOf(UNKNOWN), samples) : chunkOf(samples)
  })
  return { chunks, lines: said.flat() }
}

const linesOf = (name: string, seq: number, random: Random): string[] =>
  Array.from(
    { length: LINES_PER_CHUNK },
    (_, line) =>
      `Talk ${name} part ${seq} line ${line} about the ${CANARY}, the ${random.pick(WORDS)} and the ${random.pick(WORDS)}.`,
  )

/** What is written besides. */
export const newTexts = (name: string, count: number, random: Random): string[] =>
  Array.from(
    { length: count },
    (_, n) => `Note ${name} number ${n} on the ${CANARY} and the ${random.pick(WORDS)}.`,
  )

function chunkOf(...parts: Buffer[]): Chunk {
  const bytes = Buffer.concat(parts)
  return { bytes, digest: hash('sha256', bytes) }
}

/** Each line, and noise up to a whole number of milliseconds: where lines and chunks begin is counted in them. */
const speak = (lines: string[], random: Random): Buffer =>
  Buffer.concat(lines.map((line) => speakLine(Buffer.from(line), random)))

function speakLine(words: Buffer, random: Random): Buffer {
  const milliseconds = Math.ceil((words.length + 1) / SAMPLES_PER_MS) + random.whole(60, 600)
  const samples = Buffer.alloc(2 * SAMPLES_PER_MS * milliseconds)
  for (let at = 0; at < samples.length / 2; at++)
    samples.writeInt16LE(at < words.length ? WORD_FLOOR + (words[at] as number) : (at * 31) % 251, 2 * at)
  return samples
}

interface HeardLine {
  text: string
  /** In seconds. */
  start: number
  end: number
}

/** What a listener hears in samples that `speak` made. */
export function hear(samples: Buffer): HeardLine[] {
  const lines: HeardLine[] = []
  let bytes: number[] = []
  const count = Math.floor(samples.length / 2)
  for (let at = 0; at <= count; at++) {
    const value = at < count ? samples.readInt16LE(2 * at) : 0
    if (value >= WORD_FLOOR) bytes.push(value - WORD_FLOOR)
    else if (bytes.length > 0) {
      lines.push({ text: Buffer.from(bytes).toString(), start: (at - bytes.length) / RATE, end: at / RATE })
      bytes = []
    }
  }
  return lines
}

/** As recorders write it that do not know yet. */
const UNKNOWN = 0xffff_ffff

const headOf = (dataBytes: number): Buffer => wavHead({ rate: RATE, bits: 16, dataBytes })
