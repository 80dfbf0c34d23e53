import { readFileSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeFile } from '../../../media/decode/decode-file.ts'
import { wavHead } from '../../support/wav.ts'

const SAMPLES = join(import.meta.dirname, '../../../speech/samples')
export const RATE = 16_000

async function samplesOf(container: 'flac' | 'webm', path: string): Promise<Float32Array> {
  const blocks = await Array.fromAsync(decodeFile(container, path, 0))
  const all = new Float32Array(blocks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const block of blocks) {
    all.set(block, at)
    at += block.length
  }
  return all
}

/** Human speech for a microphone, with what is said and when. */
export interface SpokenFile {
  path: string
  samples: Float32Array
  texts: { text: string; start: number; end: number }[]
}

/** The recordings one after the other, with a pause between them. */
export async function speechFile(names: string[]): Promise<SpokenFile> {
  const known = JSON.parse(readFileSync(join(SAMPLES, 'samples.json'), 'utf8')) as {
    file: string
    text: string
  }[]
  const parts: Float32Array[] = []
  const texts: SpokenFile['texts'] = []
  let at = 0
  for (const name of names) {
    const samples = await samplesOf('flac', join(SAMPLES, `${name}.flac`))
    const text = known.find(({ file }) => file === `${name}.flac`)?.text ?? ''
    texts.push({ text, start: at / RATE, end: (at + samples.length) / RATE })
    parts.push(samples, new Float32Array(RATE / 2))
    at += samples.length + RATE / 2
  }
  const samples = Float32Array.from(parts.flatMap((part) => [...part]))
  const path = join(await mkdtemp(join(tmpdir(), 'parley-speech-')), 'speech.wav')
  const pcm = Int16Array.from(samples, (value) => Math.round(Math.max(-1, Math.min(1, value)) * 32_767))
  const head = wavHead({ rate: RATE, bits: 16, dataBytes: pcm.byteLength })
  await writeFile(path, Buffer.concat([head, Buffer.from(pcm.buffer)]))
  return { path, samples, texts }
}

/** The joined audio of a conversation. */
export async function storedAudio(bytes: Buffer): Promise<Float32Array> {
  const path = join(await mkdtemp(join(tmpdir(), 'parley-stored-')), 'stored.webm')
  await writeFile(path, bytes)
  return await samplesOf('webm', path)
}

const HOP = RATE / 100

/** The loudness every 10 ms, which survives the codec and the automatic gain of a microphone. */
function envelope(samples: Float32Array): Float32Array {
  return Float32Array.from({ length: Math.floor(samples.length / HOP) }, (_, index) => {
    let sum = 0
    for (const value of samples.subarray(index * HOP, (index + 1) * HOP)) sum += value * value
    return Math.log10(Math.sqrt(sum / HOP) + 1e-4)
  })
}

/** Pearson's correlation of two stretches of the same length. */
function correlation(one: Float32Array, other: Float32Array): number {
  const mean = (all: Float32Array) => all.reduce((sum, value) => sum + value, 0) / all.length
  const [a, b] = [mean(one), mean(other)]
  let [ab, aa, bb] = [0, 0, 0]
  for (let index = 0; index < one.length; index++) {
    const [x, y] = [(one[index] as number) - a, (other[index] as number) - b]
    ab += x * y
    aa += x * x
    bb += y * y
  }
  return aa === 0 || bb === 0 ? 0 : ab / Math.sqrt(aa * bb)
}

export interface Alignment {
  /** Where the stretch begins in what was stored, in seconds. */
  at: number
  /** How far into the played file that is, in seconds. */
  offset: number
  correlation: number
}

/** For each stretch of the stored audio, which part of the played file it is most like. */
export function align(stored: Float32Array, played: Float32Array, seconds = 5): Alignment[] {
  const [have, want] = [envelope(stored), envelope(played)]
  const size = seconds * 100
  const found: Alignment[] = []
  for (let at = 0; at + size <= have.length; at += size) {
    const stretch = have.subarray(at, at + size)
    let best = { lag: 0, value: -1 }
    for (let lag = 0; lag + size <= want.length; lag++) {
      const value = correlation(stretch, want.subarray(lag, lag + size))
      if (value > best.value) best = { lag, value }
    }
    found.push({ at: at / 100, offset: (best.lag - at) / 100, correlation: best.value })
  }
  return found
}
