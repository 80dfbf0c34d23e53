import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { wavHeader, writeWav } from '../split/wav.ts'

export const SAMPLES = join(import.meta.dirname, '../../speech/samples')
export const clip = (container: string): string => join(SAMPLES, 'containers', `clip.${container}`)

/**
 * Tones of one second (`live.webm`: three), made by ffmpeg's `sine` source in mono: Opus at 48 kHz, AAC and MP3 at 44.1 kHz,
 * FLAC, AIFF, CAF with PCM and with ALAC, MP4 with ALAC at 8 kHz (half a second). `live.webm` has no duration, no index and clusters of half a second, as browsers record;
 * `fragmented.mp4` has five fragments; `bare.mp3` has no tag and no index.
 *
 * `chromium.webm` and `chromium.mp4` are recordings of speech by Chromium 156 (MediaRecorder, Opus at 12 kbit/s, slices of one
 * second), which it cut at `CHROMIUM_CUTS`. Its first MP4 slice is a header without audio.
 */
export const fixturePath = (name: string): string => join(import.meta.dirname, name)
export const CHROMIUM_CUTS = {
  webm: [1_630, 3_218, 4_792, 6_379, 7_937, 9_560, 11_020],
  mp4: [641, 4_127, 5_848, 7_559, 9_230, 10_957],
}
export const fixture = (name: string): Buffer => readFileSync(fixturePath(name))

/** A folder that is deleted after the test. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A file that is deleted after the test. */
export function writeTemporary(t: TestContext, name: string, bytes: Buffer): string {
  const path = join(temporaryFolder(t), name)
  writeFileSync(path, bytes, { mode: 0o700 })
  return path
}

interface WavShape {
  rate: number
  channels: number
  isFloat?: boolean
  bytes: number
  /** The data size that the header claims. */
  claimed?: number
}

export const wavOf = (
  data: Buffer,
  { claimed = data.length, isFloat = false, ...format }: WavShape,
): Buffer => Buffer.concat([wavHeader(claimed, { isFloat, ...format }), data])

/** 16 bits, a tone of 440 Hz. */
export function makeWav(seconds: number, rate = 8_000, channels = 1): Buffer {
  const frames = Math.round(seconds * rate)
  const data = Buffer.alloc(frames * channels * 2)
  for (let sample = 0; sample < frames * channels; sample++) {
    const turns = (440 * Math.floor(sample / channels)) / rate
    data.writeInt16LE(Math.round(Math.sin(turns * 2 * Math.PI) * 8_000), sample * 2)
  }
  return wavOf(data, { rate, channels, bytes: 2 })
}

export const RATE = 16_000

/** A WAV file of a tone that is silent for half a second at each of the given seconds. */
export async function recordTone(
  t: TestContext,
  seconds: number,
  pauses: readonly number[] = [],
): Promise<string> {
  const path = join(temporaryFolder(t), 'tone.wav')
  const samples = Int16Array.from({ length: seconds * RATE }, (_, index) => {
    const at = index / RATE
    return pauses.some((pause) => at >= pause && at < pause + 0.5) ? 0 : 8_000 * Math.sin(index / 6)
  })
  await writeWav(path, samples, RATE)
  return path
}

/** Opus needs two bytes for 120 ms of silence, so an hour takes 300 kB of WebM. */
export function silentWebm(seconds: number): Buffer {
  const recording = readFileSync(clip('webm'))
  const cluster = Buffer.from([0x1f, 0x43, 0xb6, 0x75])
  const head = recording.subarray(0, recording.indexOf(cluster))
  const openCluster = Buffer.concat([cluster, Buffer.from([0xff, 0xe7, 0x81, 0])])
  // Track 1, time 0; two empty frames of 60 ms each.
  const block = Buffer.from([0xa3, 0x86, 0x81, 0, 0, 0x80, 0x1b, 2])
  return Buffer.concat([head, openCluster, ...Array<Buffer>(Math.ceil(seconds / 0.12)).fill(block)])
}
