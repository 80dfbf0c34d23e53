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
export async function* webmPackets(blocks: AsyncIterable<Buffer>, track: number): AsyncGenerator<Uint8Array> {
  let rest: Buffer = Buffer.alloc(0)
  let toSkip = 0
  for await (const chunk of blocks) {
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

/** The frames of a block: one, or several with lacing (RFC 9559, 10.3), which recorders do not use for audio. */
function framesOf(block: Buffer, track: number): Uint8Array[] {
  const numberLength = Math.clz32(block[0] ?? 0) - 23
  const number = readSize(block, 0, numberLength)
  if (number !== track) return []
  const lacing = ((block[numberLength + 2] ?? 0) & 0b110) >> 1
  const body = block.subarray(numberLength + 3)
  return (lacing === NO_LACING ? [body] : unlace(body, lacing)).map((frame) => new Uint8Array(frame))
}

const [NO_LACING, XIPH_LACING, FIXED_LACING] = [0, 1, 2]

/** Begins with the number of frames and their sizes. The last frame takes the rest. Empty if the sizes are wrong. */
function unlace(body: Buffer, lacing: number): Buffer[] {
  const count = (body[0] ?? 0) + 1
  const sizes: number[] = []
  let at = 1
  for (let index = 0; index < count - 1; index++) {
    if (lacing === FIXED_LACING) sizes.push(Math.floor((body.length - 1) / count))
    else if (lacing === XIPH_LACING) {
      let size = 0
      for (; body[at] === 255; at++) size += 255
      sizes.push(size + (body[at++] ?? 0))
    } else {
      const length = Math.clz32(body[at] ?? 0) - 23
      if (length > 8 || at + length > body.length) return []
      const value = readSize(body, at, length) ?? 0
      // After the first size, differences with a sign.
      sizes.push(index === 0 ? value : (sizes.at(-1) ?? 0) + value - (2 ** (7 * length - 1) - 1))
      at += length
    }
  }
  const last = body.length - at - sizes.reduce((sum, size) => sum + size, 0)
  return [...sizes, last].some((size) => size < 0)
    ? []
    : [...sizes, last].map((size) => {
        at += size
        return body.subarray(at - size, at)
      })
}
