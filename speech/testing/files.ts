import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

export const SAMPLES = join(import.meta.dirname, '../samples')
export const clip = (container: string): string => join(SAMPLES, 'containers', `clip.${container}`)

/** A file that goes with its test. */
export function writeTemporary(t: TestContext, name: string, bytes: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-speech-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, name)
  writeFileSync(path, bytes, { mode: 0o700 })
  return path
}

interface WavHeader {
  rate: number
  channels: number
  /** 1: whole numbers, 3: floats. */
  format: number
  bits: number
  /** Of the data, as the header claims. */
  claimed?: number
}

export function wavOf(
  data: Buffer,
  { rate, channels, format, bits, claimed = data.length }: WavHeader,
): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE((36 + claimed) % 2 ** 32, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(format, 20)
  head.writeUInt16LE(channels, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE((rate * channels * bits) / 8, 28)
  head.writeUInt16LE((channels * bits) / 8, 32)
  head.writeUInt16LE(bits, 34)
  head.write('data', 36)
  head.writeUInt32LE(claimed, 40)
  return Buffer.concat([head, data])
}

/** Opus needs two bytes for 120 ms of silence: an hour in 300 kB of WebM. */
export function silentWebm(seconds: number): Buffer {
  const recording = readFileSync(clip('webm'))
  const cluster = Buffer.from([0x1f, 0x43, 0xb6, 0x75])
  const head = recording.subarray(0, recording.indexOf(cluster))
  const openCluster = Buffer.concat([cluster, Buffer.from([0xff, 0xe7, 0x81, 0])])
  // Track 1, time 0; two empty frames of 60 ms each.
  const block = Buffer.from([0xa3, 0x86, 0x81, 0, 0, 0x80, 0x1b, 2])
  return Buffer.concat([head, openCluster, ...Array<Buffer>(Math.ceil(seconds / 0.12)).fill(block)])
}
