import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { wavHeader } from '../split/wav.ts'

/**
 * Tones of one second (`live.webm`: three), made by ffmpeg's `sine` source in mono: Opus at 48 kHz, AAC and MP3 at 44.1 kHz,
 * FLAC at 8 kHz. `live.webm` has no duration, no index and clusters of half a second, as browsers record;
 * `fragmented.mp4` has five fragments; `bare.mp3` has no tag and no index.
 */
export function fixturePath(name: string): string {
  return join(import.meta.dirname, name)
}

export function fixture(name: string): Buffer {
  return readFileSync(fixturePath(name))
}

export interface WavShape {
  seconds: number
  sampleRate: number
  channels: number
}

/** 16 bits, a tone of 440 Hz. */
export function makeWav({ seconds, sampleRate, channels }: WavShape): Buffer {
  const frames = Math.round(seconds * sampleRate)
  const data = Buffer.alloc(frames * channels * 2)
  for (let sample = 0; sample < frames * channels; sample++) {
    const turns = (440 * Math.floor(sample / channels)) / sampleRate
    data.writeInt16LE(Math.round(Math.sin(turns * 2 * Math.PI) * 8_000), sample * 2)
  }
  return Buffer.concat([
    wavHeader(data.length, { channels, rate: sampleRate, bytes: 2, isFloat: false }),
    data,
  ])
}
