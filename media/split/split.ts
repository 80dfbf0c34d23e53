import { stat } from 'node:fs/promises'
import { isApple } from '../apple/apple-file.ts'
import type { Container } from '../containers/container.ts'
import { decodeAudio } from '../decode/decode.ts'
import { findFfmpeg } from '../decode/find-ffmpeg.ts'
import { DECODE_LIMITS, SAMPLE_RATE } from '../decode/limits.ts'
import { MediaFailure } from '../failure.ts'
import type { AudioPart, Pcm, SplitLimits } from './audio-part.ts'
import { probeDuration } from './probe.ts'
import { splitSamples } from './split-samples.ts'
import { openWav } from './wav.ts'

/**
 * Splits a recording into parts within the limits, at pauses. Yields at least one part, and the last one ends where the recording
 * ends. A recording within the limits is yielded unchanged. The file of a part is deleted when the next one is requested.
 */
export type Split = (path: string, container: Container, limits: SplitLimits) => AsyncIterable<AudioPart>

/** Fails with a `MediaFailure`, immediately or while the samples are read. The samples begin at second `from`. */
export type DecodePcm = (
  path: string,
  container: Container,
  signal: AbortSignal,
  from: number,
) => Promise<Pcm>

const decodeWav: DecodePcm = (path, _container, _signal, from) => openWav(path, from)

const decodeOther: DecodePcm = async (path, container, signal, from) => {
  const skip = Math.round(from * SAMPLE_RATE)
  const recording = { path, container, signal, ffmpeg: findFfmpeg(), limits: DECODE_LIMITS, skip }
  return { rate: SAMPLE_RATE, samples: decodeAudio(recording) }
}

/** WAV is read directly; `decode` is for the other containers. */
export const createSplit = (decode: DecodePcm = decodeOther): Split =>
  async function* split(path, container, limits) {
    const { size } = await stat(path)
    const isSmall = size <= limits.maxBytes
    const decoderFor = (container: Container) => (container === 'wav' ? decodeWav : decode)
    const preRoll = await readPreRoll(limits, decoderFor)
    // Speech servers do not read AIFF and CAF.
    if (isSmall && limits.from === 0 && !preRoll && !isApple(container)) {
      const end = await probeDuration(path, container)
      if (end <= limits.maxSeconds) return yield { path, container, start: 0, end }
    }
    let hasParts = false
    try {
      const pcm = await decoderFor(container)(path, container, limits.signal, limits.from)
      const before = preRoll?.rate === pcm.rate ? preRoll.samples : []
      for await (const part of splitSamples(pcm, before, limits)) {
        hasParts = true
        yield part
      }
    } catch (error) {
      // The speech server may be able to decode it. If the recording is too long for it, the server rejects it.
      if (hasParts || !isSmall || isApple(container) || !(error instanceof MediaFailure) || error.isTransient)
        throw error
      yield { path, container, start: 0, end: await probeDuration(path, container) }
    }
  }

/** Decodes the pre-roll, a few seconds. Null if there is none, or if it cannot be decoded. */
async function readPreRoll(
  { preRoll = [], signal }: SplitLimits,
  decoderFor: (container: Container) => DecodePcm,
): Promise<{ rate: number; samples: Float32Array[] } | null> {
  const samples: Float32Array[] = []
  let rate = 0
  try {
    for (const { path, container, from } of preRoll) {
      const pcm = await decoderFor(container)(path, container, signal, from)
      if (rate > 0 && pcm.rate !== rate) return null
      rate = pcm.rate
      samples.push(...(await Array.fromAsync(pcm.samples)))
    }
  } catch (error) {
    if (!(error instanceof MediaFailure)) throw error
    return null
  }
  return samples.length === 0 ? null : { rate, samples }
}
