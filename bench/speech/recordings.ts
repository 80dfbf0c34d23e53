import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Container } from '../../media/containers/container.ts'
import { decodeAudio } from '../../media/decode/decode.ts'
import { DECODE_LIMITS, SAMPLE_RATE } from '../../media/decode/limits.ts'
import { concatSamples } from '../../media/decode/resample.ts'
import { writeWav } from '../../media/split/wav.ts'
import { levelOf, pinkNoise } from '../../speech/testing/levels.ts'
import type { TranscribeRequest } from '../../speech/types.ts'

const SAMPLES = join(import.meta.dirname, '../../speech/samples')

export interface Sample {
  file: string
  language: string
  kind: 'human' | 'synthetic'
  text: string
  seconds: number
}

/** A file with its text. */
export interface Recording {
  path: string
  container: Container
  language: string
  text: string
  seconds: number
}

export const samples = JSON.parse(readFileSync(join(SAMPLES, 'samples.json'), 'utf8')) as Sample[]

export const recordingOf = (sample: Sample): Recording => ({
  ...sample,
  path: join(SAMPLES, sample.file),
  container: 'flac',
})

export async function soundOf({ path, container }: Recording): Promise<Float32Array> {
  const { signal } = new AbortController()
  const source = { path, container, ffmpeg: null, limits: DECODE_LIMITS, signal, skip: 0 }
  return concatSamples(...(await Array.fromAsync(decodeAudio(source))))
}

/** 16-bit mono WAV. Sound that was 16-bit before stays the same. */
export const writeSound = (path: string, sound: Float32Array): Promise<void> =>
  writeWav(
    path,
    Int16Array.from(sound, (value) => Math.max(-32_768, Math.min(32_767, Math.round(value * 32_768)))),
    SAMPLE_RATE,
  )

/** A request to transcribe a whole file. */
export const requestFor = (
  { path, container }: Pick<Recording, 'path' | 'container'>,
  language: string | null,
): TranscribeRequest => ({
  path,
  container,
  language,
  hotwords: [],
  from: 0,
  signal: new AbortController().signal,
})

/** The recording with another level, in dB below full scale. */
export async function atLevel(recording: Recording, decibels: number, path: string): Promise<Recording> {
  const sound = await soundOf(recording)
  const gain = 10 ** ((decibels - levelOf(sound)) / 20)
  await writeSound(
    path,
    sound.map((value) => value * gain),
  )
  return { ...recording, path, container: 'wav' }
}

/** Opus in WebM, as a phone sends it. */
export function writeOpus(ffmpeg: string, wav: string, to: string, bitRate: string): void {
  execFileSync(ffmpeg, ['-y', '-v', 'error', '-i', wav, '-c:a', 'libopus', '-b:a', bitRate, to])
}

/** Noise like traffic and fans at the given signal-to-noise ratio in decibels. The same at each run. */
export function withPinkNoise(sound: Float32Array, decibels: number): Float32Array {
  const noise = pinkNoise(sound.length)
  const gain = 10 ** ((levelOf(sound) - levelOf(noise) - decibels) / 20)
  return sound.map((value, index) => value + gain * (noise[index] ?? 0))
}
