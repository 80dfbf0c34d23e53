import { join } from 'node:path'
import { createTempDirectory } from '../../platform/temp-directory.ts'
import { chain } from '../decode/frames.ts'
import type { AudioPart, Pcm, SplitLimits } from './audio-part.ts'
import { samplesWithin, writeWav } from './wav.ts'

interface SampleRange {
  samples: Int16Array
  /** The number of its first sample. */
  first: number
}

const BLOCK_SECONDS = 0.05
/** A split falls into the quietest 0.3 s: pauses between words are shorter than pauses between sentences. */
const PAUSE_BLOCKS = 6

/** Yields WAV files. Each is overwritten when the next one is requested. */
export async function* splitSamples(
  { rate, samples }: Pcm,
  preRoll: readonly Float32Array[],
  { maxBytes, maxSeconds, from, signal }: SplitLimits,
): AsyncGenerator<AudioPart> {
  const maxLength = Math.min(samplesWithin(maxBytes), Math.floor(maxSeconds * rate))
  await using temp = await createTempDirectory()
  const path = join(temp.path, 'part.wav')
  const begin = Math.round(from * rate) - preRoll.reduce((sum, { length }) => sum + length, 0)
  for await (const range of rangesOf(chain(preRoll, samples), maxLength, rate)) {
    signal.throwIfAborted()
    await writeWav(path, range.samples, rate)
    const first = begin + range.first
    const end = first + range.samples.length
    yield { path, container: 'wav', start: first / rate, end: end / rate }
  }
}

/** Space for a chunk of a live recording. Space for the largest upload would be 25 MB, zeroed for each recording. */
const FIRST_SECONDS = 60

function enlarged(held: Int16Array, maxLength: number): Int16Array<ArrayBuffer> {
  const larger = new Int16Array(Math.min(maxLength, 2 * held.length))
  larger.set(held)
  return larger
}

/** Yields at least one range, which is empty if there are no samples. */
async function* rangesOf(
  samples: AsyncIterable<Float32Array>,
  maxLength: number,
  rate: number,
): AsyncGenerator<SampleRange> {
  let held = new Int16Array(Math.min(maxLength, FIRST_SECONDS * rate))
  let filled = 0
  let seen = 0
  for await (const part of samples) {
    for (const sample of part) {
      seen++
      if (filled === held.length) held = enlarged(held, maxLength)
      held[filled++] = Math.round(Math.max(-1, Math.min(1, sample)) * 0x7fff)
      if (filled < maxLength) continue
      const end = quietest(held, rate)
      yield { samples: held.slice(0, end), first: seen - filled }
      held.copyWithin(0, end)
      filled = maxLength - end
    }
  }
  yield { samples: held.slice(0, filled), first: seen - filled }
}

/** The middle of the quietest pause in the last third. */
function quietest(samples: Int16Array, rate: number): number {
  const block = Math.max(1, Math.floor(BLOCK_SECONDS * rate))
  const begin = Math.floor((samples.length * 2) / 3)
  const loudness: number[] = []
  for (let at = begin; at + block <= samples.length; at += block) loudness.push(energyOf(samples, at, block))
  let best = { first: 0, energy: Number.POSITIVE_INFINITY }
  for (let first = 0; first + PAUSE_BLOCKS <= loudness.length; first++) {
    const energy = loudness.slice(first, first + PAUSE_BLOCKS).reduce((sum, one) => sum + one)
    // Prefers the last of equally quiet pauses, for fewer parts.
    if (energy <= best.energy) best = { first, energy }
  }
  return best.energy === Number.POSITIVE_INFINITY
    ? samples.length
    : begin + Math.round((best.first + PAUSE_BLOCKS / 2) * block)
}

function energyOf(samples: Int16Array, from: number, count: number): number {
  let energy = 0
  for (let at = from; at < from + count; at++) energy += (samples[at] ?? 0) ** 2
  return energy
}
