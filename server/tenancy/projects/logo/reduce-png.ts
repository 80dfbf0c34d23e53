import { inflateSync } from 'node:zlib'

/** Everything else is metadata, animation or a colour profile. */
const KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])

const BYTES_PER_PIXEL = 8
const MIB = 1024 * 1024

/**
 * A PNG without metadata, for the decoder. Throws if its data is larger than its dimensions allow: the decoder inflates interlaced
 * images without a limit, and 1 MiB can become 1 GiB.
 */
export function reducePng(bytes: Buffer, { width, height }: { width: number; height: number }): Buffer {
  const chunks = readChunks(bytes)
  if (chunks.filter(({ type }) => type === 'IHDR').length !== 1) throw new Error('PNG with several headers')
  const kept = chunks.filter(({ type }) => KEPT.has(type))
  const data = kept.filter(({ type }) => type === 'IDAT').map(({ content }) => content)
  // A row has a filter byte, and an interlaced image has up to twice as many rows.
  const maxOutputLength = width * height * BYTES_PER_PIXEL + 2 * height + MIB
  inflateSync(Buffer.concat(data), { maxOutputLength })
  return Buffer.concat([bytes.subarray(0, 8), ...kept.map(({ whole }) => whole)])
}

interface Chunk {
  type: string
  content: Buffer
  whole: Buffer
}

/** The decoder checks the checksums. */
function readChunks(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) break
    const type = bytes.subarray(at + 4, at + 8).toString('latin1')
    chunks.push({ type, content: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) })
    if (type === 'IEND') return chunks
    at = end
  }
  throw new Error('PNG ends early')
}
