import { concatSamples } from './resample.ts'

/** Regroups samples into frames of one length. The last frame is padded with silence. */
export async function* framesOf(
  blocks: AsyncIterable<Float32Array>,
  length: number,
): AsyncGenerator<Float32Array> {
  let rest = new Float32Array(0)
  for await (const block of blocks) {
    const samples = concatSamples(rest, block)
    let at = 0
    for (; at + length <= samples.length; at += length) yield samples.slice(at, at + length)
    rest = samples.slice(at)
  }
  if (rest.length > 0) yield concatSamples(rest, new Float32Array(length - rest.length))
}

/** Without the first samples. How many is only known when the first ones arrive. */
export async function* withoutFirst(
  blocks: AsyncIterable<Float32Array>,
  count: () => number,
): AsyncGenerator<Float32Array> {
  let left: number | null = null
  for await (const block of blocks) {
    left ??= Math.max(0, count())
    if (left < block.length) yield block.subarray(left)
    left = Math.max(0, left - block.length)
  }
}

/** The items of several sources, one source after the other. */
export async function* chain<T>(...sources: (Iterable<T> | AsyncIterable<T>)[]): AsyncGenerator<T> {
  for (const source of sources) yield* source
}
