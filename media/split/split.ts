import { stat } from 'node:fs/promises'
import { EngineFailure } from '../../server/engines/engine-failure.ts'
import type { Container, Lead } from '../../server/transcription/transcriber.ts'
import { probeDuration } from './probe.ts'
import { cutPieces } from './split-samples.ts'
import { openWav } from './wav.ts'

/** Part of a recording, or all of it, as a file of its own. */
export interface Piece {
  path: string
  container: Container
  /** Seconds from the recording's beginning; below 0 in what leads to it. */
  start: number
  end: number
}

export interface SplitLimits {
  maxBytes: number
  maxSeconds: number
  /** Seconds; what comes before is not wanted. */
  from: number
  /** Comes before it in the first piece, if it can be decoded. */
  lead?: readonly Lead[]
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

/** Fails as `unreadable` or `needs_ffmpeg` with what it can't decode, and otherwise where it was kept from it, at once or while it is read. */
export type DecodePcm = (
  path: string,
  container: Container,
  signal: AbortSignal,
  /** Seconds; the samples begin there. */
  from: number,
) => Promise<Pcm>

const decodeWav: DecodePcm = (path, _container, _signal, from) => openWav(path, from)

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
    const open = (container: Container) => (container === 'wav' ? decodeWav : decode)
    const lead = await readLead(limits, open)
    if (isSmall && limits.from === 0 && !lead) {
      const end = await probeDuration(path, container)
      if (end <= limits.maxSeconds) return yield { path, container, start: 0, end }
    }
    let isCut = false
    try {
      const own = await open(container)(path, container, limits.signal, limits.from)
      const before = lead?.rate === own.rate ? lead.pieces : []
      for await (const piece of cutPieces(own, before, limits)) {
        isCut = true
        yield piece
      }
    } catch (error) {
      // What can't be decoded here may be readable there: the server refuses it if it is too long.
      if (isCut || !isSmall || !(error instanceof EngineFailure) || isPassing(error)) throw error
      yield { path, container, start: 0, end: await probeDuration(path, container) }
    }
  }

/** What the next try may decode. */
const isPassing = ({ code }: EngineFailure): boolean => code === 'interrupted' || code === 'unavailable'

/** Some seconds. Null: there is none, or none that could be decoded; then it is done without. */
async function readLead(
  { lead = [], signal }: SplitLimits,
  open: (container: Container) => DecodePcm,
): Promise<{ rate: number; pieces: Float32Array[] } | null> {
  const pieces: Float32Array[] = []
  let rate = 0
  try {
    for (const { path, container, from } of lead) {
      const pcm = await open(container)(path, container, signal, from)
      // Recorders keep their rate; where one does not, there is no one sound.
      if (rate > 0 && pcm.rate !== rate) return null
      rate = pcm.rate
      pieces.push(...(await Array.fromAsync(pcm.samples)))
    }
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error
    return null
  }
  return pieces.length === 0 ? null : { rate, pieces }
}
