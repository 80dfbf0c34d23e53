import { stat } from 'node:fs/promises'
import { EngineFailure } from '../../engine-failure.ts'
import type { Container } from '../../transcriber.ts'
import { cutPieces } from './cut.ts'
import { probeDuration } from './probe.ts'
import { openWav } from './wav.ts'

/** Part of a recording, or all of it, as a file of its own. */
export interface Piece {
  path: string
  container: Container
  /** Seconds from the recording's beginning. */
  start: number
  end: number
}

export interface SplitLimits {
  maxBytes: number
  maxSeconds: number
  /** Seconds; what comes before is not wanted. */
  from: number
  signal: AbortSignal
}

/**
 * A recording in pieces within the limits, cut where nobody speaks; at least one, and the last one's end is the
 * recording's. What fits comes as it is. A piece's file is gone once the next one is asked for.
 */
export type Split = (path: string, container: Container, limits: SplitLimits) => AsyncIterable<Piece>

/** Sound as numbers from -1 to 1, one channel. */
export interface Pcm {
  /** Samples a second. */
  rate: number
  samples: AsyncIterable<Float32Array>
}

/** Fails as `unreadable` or `needs_ffmpeg` with what it can't decode, at once or while it is read. */
export type DecodePcm = (path: string, container: Container, signal: AbortSignal) => Promise<Pcm>

/** For where there is no decoder. */
const cannotDecode: DecodePcm = (_path, container) =>
  Promise.reject(
    new EngineFailure('unreadable', `${container} can’t be cut here, and is too large to go up whole`),
  )

/** WAV is read here; `decode` is for the other containers. */
export const createSplit = (decode: DecodePcm = cannotDecode): Split =>
  async function* split(path, container, limits) {
    const { size } = await stat(path)
    const isSmall = size <= limits.maxBytes
    if (isSmall && limits.from === 0) {
      const end = await probeDuration(path, container)
      if (end <= limits.maxSeconds) return yield { path, container, start: 0, end }
    }
    const open = container === 'wav' ? openWav : decode
    let isCut = false
    try {
      for await (const piece of cutPieces(await open(path, container, limits.signal), limits)) {
        isCut = true
        yield piece
      }
    } catch (error) {
      // What can't be decoded here may be readable there: the server refuses it if it is too long.
      if (isCut || !isSmall || !isUndecodable(error)) throw error
      yield { path, container, start: 0, end: await probeDuration(path, container) }
    }
  }

const isUndecodable = (error: unknown): boolean =>
  error instanceof EngineFailure && (error.code === 'unreadable' || error.code === 'needs_ffmpeg')
