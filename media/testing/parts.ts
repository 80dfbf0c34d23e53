import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from '../../test/support/at-end.ts'
import type { Container } from '../containers/container.ts'
import { type JoinedAudio, joinAudio } from '../join/join-audio.ts'
import type { JoinPart } from '../join/source-file.ts'
import { fixturePath, makeWav } from './fixtures.ts'
import { type Probed, probeFile } from './probe-file.ts'

export const folder = mkdtempSync(join(tmpdir(), 'join-audio-'))
atEnd(() => rmSync(folder, { recursive: true }))

let files = 0
export function newPath(): string {
  return join(folder, `${files++}`)
}

/** A fixture as a part. */
export function part(name: string, container: Container): JoinPart {
  return { path: fixturePath(name), container, continuation: false }
}

export function written(bytes: Uint8Array, container: Container, continuation = false): JoinPart {
  const path = newPath()
  writeFileSync(path, bytes)
  return { path, container, continuation }
}

export function wav(seconds: number, sampleRate = 8_000, channels = 1): JoinPart {
  return written(makeWav(seconds, sampleRate, channels), 'wav')
}

/** For `STUCK_DEMUXER`: a part on which it loops or hangs. */
export const stuckPart = (how: 'LOOP' | 'WAIT'): JoinPart => written(Buffer.from(how), 'webm')

/** Replaces the demuxer thread. */
export const STUCK_DEMUXER = new URL('./stuck-demuxer.ts', import.meta.url)

/** A recording as browsers send it: only the first part has a header. */
export function slices(bytes: Buffer, cuts: number[], container: Container): JoinPart[] {
  const edges = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
  return edges.slice(1).map((end, index) => written(bytes.subarray(edges[index], end), container, index > 0))
}

export interface Joined {
  target: string
  result: JoinedAudio
  file: Probed
}

export async function joined(parts: JoinPart[]): Promise<Joined> {
  const target = newPath()
  const result = await joinAudio(parts, target, new AbortController().signal)
  return { target, result, file: await probeFile(target) }
}
