import { type AudioBytes, streamOf } from '../audio-bytes.ts'

const CLUSTER = 0x1f43b675
const SIMPLE_BLOCK = 0xa3
const BLOCK = 0xa1
/** Elements that are entered: segment, cluster, block group. Their sizes are ignored, as they can be missing or wrong. */
const PARENTS = new Set([0x18538067, CLUSTER, 0xa0])
const CLUSTER_BYTES = Buffer.from([0x1f, 0x43, 0xb6, 0x75])
/** A second of audio has a few kilobytes, so a larger block is damage. */
const LARGEST_BLOCK = 2 ** 20
const LONGEST_HEAD = 12

interface Element {
  id: number
  head: number
  /** Null: unknown, as in live recordings. */
  size: number | null
}

/** Continues with the next cluster after damage. mediabunny returns nothing of a truncated cluster, which can be all of a short recording. */
export async function* webmPackets(audio: AudioBytes, track: number): AsyncGenerator<Uint8Array> {
  let rest: Buffer = Buffer.alloc(0)
  let toSkip = 0
  for await (const chunk of streamOf(audio, 2 ** 16)) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (true) {
      const skipped = Math.min(toSkip, rest.length)
      rest = rest.subarray(skipped)
      toSkip -= skipped
      if (toSkip > 0 || rest.length < LONGEST_HEAD) break
      const element = readHead(rest)
      if (!element) {
        rest = fromNextCluster(rest)
        continue
      }
      const { id, head, size } = element
      const isBlock = id === SIMPLE_BLOCK || id === BLOCK
      if (isBlock && rest.length < head + (size ?? 0)) break
      if (isBlock) yield* framesOf(rest.subarray(head, head + (size ?? 0)), track)
      toSkip = PARENTS.has(id) ? head : head + (size ?? 0)
    }
  }
}

/** Null if no element begins here. */
function readHead(bytes: Buffer): Element | null {
  const idLength = Math.clz32(bytes[0] ?? 0) - 23
  const sizeLength = Math.clz32(bytes[idLength] ?? 0) - 23
  if (idLength > 4 || sizeLength > 8) return null
  const id = bytes.readUIntBE(0, idLength)
  const size = readSize(bytes, idLength, sizeLength)
  const isBlock = id === SIMPLE_BLOCK || id === BLOCK
  const isDamaged = (size === null && !PARENTS.has(id)) || (isBlock && (size ?? 0) > LARGEST_BLOCK)
  return isDamaged ? null : { id, head: idLength + sizeLength, size }
}

function readSize(bytes: Buffer, at: number, length: number): number | null {
  let size = (bytes[at] ?? 0) & ((1 << (8 - length)) - 1)
  for (let index = 1; index < length; index++) size = size * 256 + (bytes[at + index] ?? 0)
  return size === 2 ** (7 * length) - 1 ? null : size
}

function fromNextCluster(bytes: Buffer): Buffer {
  const at = bytes.indexOf(CLUSTER_BYTES, 1)
  return bytes.subarray(at > 0 ? at : bytes.length - CLUSTER_BYTES.length + 1)
}

/** One frame per block. Recorders do not use lacing for audio, and laced blocks are skipped. */
function framesOf(block: Buffer, track: number): Uint8Array[] {
  const numberLength = Math.clz32(block[0] ?? 0) - 23
  const number = readSize(block, 0, numberLength)
  const flags = block[numberLength + 2] ?? 0
  const isLaced = (flags & 0b110) !== 0
  return number === track && !isLaced ? [new Uint8Array(block.subarray(numberLength + 3))] : []
}
