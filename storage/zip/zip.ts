import type { Readable } from 'node:stream'
import { crc32, deflateRawSync } from 'node:zlib'
import {
  BLOCK_HEADER_BYTES,
  centralDirectoryHeader,
  dataDescriptor,
  endOfCentralDirectory,
  HAS_DATA_DESCRIPTOR,
  localFileHeader,
  MAX_BLOCK_BYTES,
  needsZip64,
  type PackedFile,
  storedBlockHeader,
  UTF8_NAMES,
} from './records.ts'

/** A file on its way into a zip. */
export interface ZipEntry {
  /** With `/` between folders. */
  path: string
  /** ISO 8601. */
  at: string
  content: string | StreamOfBytes
}

export const jsonEntry = (path: string, at: string, record: unknown): ZipEntry => ({
  path,
  at,
  content: `${JSON.stringify(record, null, 2)}\n`,
})

/** Is not compressed: it is audio, which would get no smaller. */
export interface StreamOfBytes {
  /** How many they are. */
  bytes: number
  stream: Readable
}

/**
 * A zip (APPNOTE 6.3.10), made while it is read: nothing is kept of a file but its line in the list at the end. Written here,
 * since the libraries for it make check sums in JavaScript, on the thread that answers, want to know all files beforehand, or
 * count no further than 65,535.
 */
export async function* zipped(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const list = createList()
  let offset = 0
  for await (const { path, at, content } of entries) {
    const name = Buffer.from(path)
    const begun = { name, at: new Date(at), offset }
    const file = yield* typeof content === 'string' ? packText(begun, content) : packStream(begun, content)
    list.add(file)
    offset = file.end
  }
  yield* list.buffers()
  yield endOfCentralDirectory(list.count(), list.bytes(), offset)
}

type Begun = Pick<PackedFile, 'name' | 'at' | 'offset'>
type Packing = AsyncGenerator<Buffer, PackedFile & { end: number }>

async function* packText(begun: Begun, text: string): Packing {
  const bytes = Buffer.from(text)
  const packed = deflateRawSync(bytes)
  const file = {
    ...begun,
    flags: UTF8_NAMES,
    crc: crc32(bytes),
    packedBytes: packed.length,
    bytes: bytes.length,
  }
  const head = localFileHeader(file, false)
  yield head
  yield packed
  return { ...file, end: file.offset + head.length + packed.length }
}

/** In blocks that are stored: they tell their own end, so that a zip can be read from a pipe. */
async function* packStream(begun: Begun, { bytes, stream }: StreamOfBytes): Packing {
  const file = { ...begun, flags: UTF8_NAMES | HAS_DATA_DESCRIPTOR, crc: 0, packedBytes: 0, bytes: 0 }
  try {
    const isLarge = needsZip64(bytes)
    const head = localFileHeader(file, isLarge)
    yield head
    for await (const part of stream as AsyncIterable<Buffer>) {
      file.crc = crc32(part, file.crc)
      file.bytes += part.length
      for (let from = 0; from < part.length; from += MAX_BLOCK_BYTES) {
        const block = part.subarray(from, from + MAX_BLOCK_BYTES)
        file.packedBytes += BLOCK_HEADER_BYTES + block.length
        yield storedBlockHeader(block.length, false)
        yield block
      }
    }
    if (file.bytes !== bytes) throw new Error('a file has another size than it had')
    file.packedBytes += BLOCK_HEADER_BYTES
    const sizes = dataDescriptor(file, isLarge)
    yield storedBlockHeader(0, true)
    yield sizes
    return { ...file, end: file.offset + head.length + file.packedBytes + sizes.length }
  } finally {
    // Whoever stopped reading the zip may not have begun with it.
    stream.destroy()
  }
}

/** Lines are put together: hundreds of thousands of small buffers would weigh twice as much. */
const LINES_TOGETHER = 4_096

/** Of all files, which stands at the end. */
function createList() {
  const buffers: Buffer[] = []
  let count = 0
  let bytes = 0
  return {
    add(file: PackedFile): void {
      const line = centralDirectoryHeader(file)
      const last = buffers.at(-1)
      if (last === undefined || last.length > LINES_TOGETHER) buffers.push(line)
      else buffers[buffers.length - 1] = Buffer.concat([last, line])
      count += 1
      bytes += line.length
    },
    count: () => count,
    bytes: () => bytes,
    buffers: () => buffers,
  }
}
