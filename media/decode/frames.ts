import { joined } from './resample.ts'

/** Pieces of any length as frames of one length; the last is filled up with silence. */
export async function* framesOf(
  pieces: AsyncIterable<Float32Array>,
  length: number,
): AsyncGenerator<Float32Array> {
  let rest = new Float32Array(0)
  for await (const piece of pieces) {
    const samples = joined(rest, piece)
    let at = 0
    for (; at + length <= samples.length; at += length) yield samples.slice(at, at + length)
    rest = samples.slice(at)
  }
  if (rest.length > 0) yield joined(rest, new Float32Array(length - rest.length))
}

/** Without the first `count` samples. */
export async function* withoutFirst(
  pieces: AsyncIterable<Float32Array>,
  count: number,
): AsyncGenerator<Float32Array> {
  let left = count
  for await (const piece of pieces) {
    if (left < piece.length) yield piece.subarray(left)
    left = Math.max(0, left - piece.length)
  }
}
