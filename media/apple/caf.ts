import type { FileHandle } from 'node:fs/promises'
import { type AppleFile, LAWS, readAt } from './apple-file.ts'

const MAX_CHUNKS = 100
/** Sizes of packets, about two bytes each: more than a day. */
const MAX_TABLE_BYTES = 2 ** 23
const MAX_COOKIE_BYTES = 4_096
const PACKET_TABLE_HEAD = 24
const FLOAT_FLAG = 1
const LITTLE_ENDIAN_FLAG = 2

interface Chunk {
  start: number
  size: number
}

/** Core Audio Format: chunks of a name, a size of 64 bits and their content. */
export async function openCaf(file: FileHandle, fileSize: number): Promise<AppleFile | null> {
  const chunks = await findChunks(file, fileSize)
  const [desc, data] = [chunks.get('desc'), chunks.get('data')]
  const format = desc && (await readAt(file, desc.start, 32))
  if (!format || format.length < 32 || !data) return null
  const codec = format.toString('latin1', 8, 12)
  const [rate, flags, channels] = [format.readDoubleBE(0), format.readUInt32BE(12), format.readUInt32BE(24)]
  // The data begin with a count of edits.
  const shared = { rate, channels, offset: data.start + 4, size: Math.max(0, data.size - 4) }
  if (codec === 'lpcm') {
    const bytes = Math.ceil(format.readUInt32BE(28) / 8)
    const [isFloat, isLittleEndian] = [(flags & FLOAT_FLAG) > 0, (flags & LITTLE_ENDIAN_FLAG) > 0]
    return { ...shared, codec: 'pcm', layout: { bytes, isFloat, isLittleEndian, isUnsigned: false } }
  }
  const law = LAWS[codec]
  const oneByte = { bytes: 1, isFloat: false, isLittleEndian: false, isUnsigned: false }
  if (law) return { ...shared, codec: 'pcm', layout: { ...oneByte, law } }
  const [cookie, table] = [chunks.get('kuki'), chunks.get('pakt')]
  if (codec !== 'aac ' || !cookie || !table) return { codec }
  const config = specificConfig(await readAt(file, cookie.start, Math.min(cookie.size, MAX_COOKIE_BYTES)))
  const packets = await readAt(file, table.start, Math.min(table.size, MAX_TABLE_BYTES))
  if (!config || packets.length < PACKET_TABLE_HEAD) return { codec }
  const delaySamples = Math.max(0, packets.readInt32BE(16))
  return { ...shared, codec: 'aac', config, delaySamples, packetBytes: sizesIn(packets, shared.size) }
}

async function findChunks(file: FileHandle, fileSize: number): Promise<Map<string, Chunk>> {
  const chunks = new Map<string, Chunk>()
  let offset = 8
  for (let count = 0; count < MAX_CHUNKS && offset + 12 <= fileSize; count++) {
    const head = await readAt(file, offset, 12)
    const size = Number(head.readBigInt64BE(4))
    const start = offset + 12
    // The data of a file that is still written, or was interrupted, have no size.
    const length = size < 0 ? fileSize - start : Math.min(size, fileSize - start)
    chunks.set(head.toString('latin1', 0, 4), { start, size: length })
    offset = start + length
  }
  return chunks
}

/** Numbers of seven bits a byte; the high bit says that more follow. Stops at the end of the data. */
function sizesIn(table: Buffer, dataBytes: number): number[] {
  const sizes: number[] = []
  let [size, total] = [0, 0]
  for (const byte of table.subarray(PACKET_TABLE_HEAD)) {
    size = size * 128 + (byte & 0x7f)
    if (byte > 0x7f) continue
    total += size
    if (total > dataBytes) break
    if (size > 0) sizes.push(size)
    size = 0
  }
  return sizes
}

const DECODER_CONFIG = 4
const SPECIFIC_INFO = 5

/** The AudioSpecificConfig in an ES descriptor (ISO 14496-1), or in the cookie as it is. */
function specificConfig(cookie: Buffer): Uint8Array | null {
  if (cookie[0] !== 3) return cookie.length >= 2 && cookie.length <= 64 ? new Uint8Array(cookie) : null
  let at = 0
  while (at + 2 <= cookie.length) {
    const tag = cookie[at++]
    let length = 0
    for (let more = true; more && at < cookie.length; at++) {
      length = length * 128 + ((cookie[at] ?? 0) & 0x7f)
      more = (cookie[at] ?? 0) > 0x7f
    }
    if (tag === SPECIFIC_INFO) return new Uint8Array(cookie.subarray(at, at + length))
    // These contain the others, after fields of fixed length.
    at += tag === 3 ? 3 : tag === DECODER_CONFIG ? 13 : length
  }
  return null
}
