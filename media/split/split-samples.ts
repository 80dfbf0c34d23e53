import { join } from 'node:path'
import { createTempDirectory } from '../../platform/temp-directory.ts'
import type { Pcm, Piece, SplitLimits } from './split.ts'
import { samplesWithin, writeWav } from './wav.ts'

/** A stretch of sound, and the sample with which it begins. */
interface Stretch {
  samples: Int16Array
  first: number
}

const BLOCK_SECONDS = 0.05
/** A pause between two words is shorter than one between two sentences: the quietest of so many blocks is found. */
const PAUSE_BLOCKS = 6

/** One WAV file after the other, each gone when the next is asked for. `lead`: what comes before the sound, at its rate. */
export async function* cutPieces(
  { rate, samples }: Pcm,
  lead: readonly Float32Array[],
  limits: SplitLimits,
): AsyncGenerator<Piece> {
  const { maxBytes, maxSeconds, from, signal } = limits
  const longest = Math.min(samplesWithin(maxBytes), Math.floor(maxSeconds * rate))
  await using scratch = await createTempDirectory()
  const path = join(scratch.path, 'piece.wav')
  const begin = Math.round(from * rate) - lead.reduce((sum, { length }) => sum + length, 0)
  for await (const stretch of stretchesOf(after(lead, samples), longest, rate)) {
    signal.throwIfAborted()
    await writeWav(path, stretch.samples, rate)
    const first = begin + stretch.first
    const end = first + stretch.samples.length
    yield { path, container: 'wav', start: first / rate, end: end / rate }
  }
}

async function* after(
  lead: readonly Float32Array[],
  samples: AsyncIterable<Float32Array>,
): AsyncGenerator<Float32Array> {
  yield* lead
  yield* samples
}

/** Room for a chunk of a live recording: for the longest upload it would be 25 MB, made empty for each. */
const FIRST_SECONDS = 60

function enlarged(held: Int16Array, longest: number): Int16Array<ArrayBuffer> {
  const larger = new Int16Array(Math.min(longest, 2 * held.length))
  larger.set(held)
  return larger
}

/** At least one, empty where there is nothing. */
async function* stretchesOf(
  samples: AsyncIterable<Float32Array>,
  longest: number,
  rate: number,
): AsyncGenerator<Stretch> {
  let held = new Int16Array(Math.min(longest, FIRST_SECONDS * rate))
  let filled = 0
  let seen = 0
  for await (const part of samples) {
    for (const sample of part) {
      seen++
      if (filled === held.length) held = enlarged(held, longest)
      held[filled++] = Math.round(Math.max(-1, Math.min(1, sample)) * 0x7fff)
      if (filled < longest) continue
      const end = quietest(held, rate)
      yield { samples: held.slice(0, end), first: seen - filled }
      held.copyWithin(0, end)
      filled = longest - end
    }
  }
  yield { samples: held.slice(0, filled), first: seen - filled }
}

/** The middle of the quietest moment in the last third. */
function quietest(samples: Int16Array, rate: number): number {
  const block = Math.max(1, Math.floor(BLOCK_SECONDS * rate))
  const begin = Math.floor((samples.length * 2) / 3)
  const loudness: number[] = []
  for (let at = begin; at + block <= samples.length; at += block) loudness.push(energyOf(samples, at, block))
  let best = { first: 0, energy: Number.POSITIVE_INFINITY }
  for (let first = 0; first + PAUSE_BLOCKS <= loudness.length; first++) {
    const energy = loudness.slice(first, first + PAUSE_BLOCKS).reduce((sum, one) => sum + one)
    // Of equals the last one, for fewer pieces.
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
