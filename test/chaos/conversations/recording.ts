import { hash } from 'node:crypto'
import { wavHead } from '../../support/wav.ts'
import type { Random } from '../framework/random.ts'

/** A recording whose bytes and text are known. */
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

/** Stands in every line, so that a log that quotes one is found. */
export const CANARY = 'quillwort'
const WORDS = ['bridge', 'garden', 'library', 'market', 'school', 'river', 'station', 'meadow', 'harbour']
const LINES_PER_CHUNK = 2

export const RATE = 16_000
const SAMPLES_PER_MS = RATE / 1000
/** A sample above this value is a byte of text; lower ones are noise. */
const TEXT_OFFSET = 256
/** Recorders write this into the header while the length is unknown. */
const UNKNOWN_LENGTH = 0xffff_ffff

/**
 * Each chunk is a complete WAV file. With `isLive` only the first chunk has a header, of one endless file, and the others continue
 * it, as browsers record.
 */
export function newRecording(name: string, count: number, isLive: boolean, random: Random): Recording {
  const texts = Array.from({ length: count }, (_, seq) => newLines(name, seq, random))
  const chunks = texts.map((lines, seq) => {
    const samples = Buffer.concat(lines.map((line) => encodeLine(Buffer.from(line), random)))
    const dataBytes = isLive ? UNKNOWN_LENGTH : samples.length
    const head = isLive && seq > 0 ? [] : [wavHead({ rate: RATE, bits: 16, dataBytes })]
    const bytes = Buffer.concat([...head, samples])
    return { bytes, digest: hash('sha256', bytes) }
  })
  return { chunks, lines: texts.flat() }
}

const newLines = (name: string, seq: number, random: Random): string[] =>
  Array.from(
    { length: LINES_PER_CHUNK },
    (_, line) =>
      `Talk ${name} part ${seq} line ${line} about the ${CANARY}, the ${random.pick(WORDS)} and the ${random.pick(WORDS)}.`,
  )

export const newTexts = (name: string, count: number, random: Random): string[] =>
  Array.from(
    { length: count },
    (_, n) => `Note ${name} number ${n} on the ${CANARY} and the ${random.pick(WORDS)}.`,
  )

/** The line, and noise up to a whole number of milliseconds, because positions are counted in milliseconds. */
function encodeLine(text: Buffer, random: Random): Buffer {
  const milliseconds = Math.ceil((text.length + 1) / SAMPLES_PER_MS) + random.integer(60, 600)
  const samples = Buffer.alloc(2 * SAMPLES_PER_MS * milliseconds)
  for (let at = 0; at < samples.length / 2; at++)
    samples.writeInt16LE(at < text.length ? TEXT_OFFSET + (text[at] as number) : (at * 31) % 251, 2 * at)
  return samples
}

interface Segment {
  text: string
  /** In seconds. */
  start: number
  end: number
}

/** Reads the lines back from samples. */
export function transcribeSamples(samples: Buffer): Segment[] {
  const segments: Segment[] = []
  let bytes: number[] = []
  const count = Math.floor(samples.length / 2)
  for (let at = 0; at <= count; at++) {
    const value = at < count ? samples.readInt16LE(2 * at) : 0
    if (value >= TEXT_OFFSET) bytes.push(value - TEXT_OFFSET)
    else if (bytes.length > 0) {
      const text = Buffer.from(bytes).toString()
      segments.push({ text, start: (at - bytes.length) / RATE, end: at / RATE })
      bytes = []
    }
  }
  return segments
}
