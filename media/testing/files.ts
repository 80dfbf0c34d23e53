import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { wavHeader } from '../split/wav.ts'

export const SAMPLES = join(import.meta.dirname, '../../speech/samples')
export const clip = (container: string): string => join(SAMPLES, 'containers', `clip.${container}`)

/** A file that is deleted after the test. */
export function writeTemporary(t: TestContext, name: string, bytes: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-speech-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, name)
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
