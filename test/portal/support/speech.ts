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
