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

export interface ZipEntry {
  /** Folders are separated by `/`. */
  path: string
  /** Modification time, ISO 8601. */
  at: string
  content: string | SizedStream
}

export const jsonEntry = (path: string, at: string, record: unknown): ZipEntry => ({
  path,
  at,
  content: `${JSON.stringify(record, null, 2)}\n`,
})

/** Stored without compression: audio does not get smaller. */
export interface SizedStream {
  bytes: number
  stream: Readable
}

/**
 * Streams a zip file (APPNOTE 6.3.10) and keeps only the central directory in memory. Available libraries compute checksums
 * in JavaScript on the main thread, need the list of files in advance, or support at most 65,535 files.
 */
export async function* streamZip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let [count, offset] = [0, 0]
  for await (const { path, at, content } of entries) {
    const entry = { name: Buffer.from(path), modifiedAt: new Date(at), offset }
    const file = yield* typeof content === 'string' ? packText(entry, content) : packStream(entry, content)
    append(directory, centralDirectoryHeader(file))
    count += 1
    offset = file.end
  }
  const bytes = directory.reduce((sum, { length }) => sum + length, 0)
  yield* directory
  yield endOfCentralDirectory(count, bytes, offset)
}

type NewEntry = Pick<PackedFile, 'name' | 'modifiedAt' | 'offset'>
type Packing = AsyncGenerator<Buffer, PackedFile & { end: number }>

/** Shorter texts hardly shrink, and each compression allocates 256 KiB. */
const MIN_COMPRESSED_BYTES = 64

const storedBlock = (bytes: Buffer): Buffer => Buffer.concat([storedBlockHeader(bytes.length, true), bytes])

async function* packText(entry: NewEntry, text: string): Packing {
  const bytes = Buffer.from(text)
  const packed = bytes.length < MIN_COMPRESSED_BYTES ? storedBlock(bytes) : deflateRawSync(bytes)
  const sizes = { packedBytes: packed.length, bytes: bytes.length }
  const file = { ...entry, ...sizes, flags: UTF8_NAMES, crc: crc32(bytes) }
  const head = localFileHeader(file, false)
  yield head
  yield packed
  return { ...file, end: file.offset + head.length + packed.length }
}

/** Uses stored DEFLATE blocks: they mark their own end, so that a zip can be read from a pipe before its directory arrives. */
async function* packStream(entry: NewEntry, { bytes, stream }: SizedStream): Packing {
  const file = { ...entry, flags: UTF8_NAMES | HAS_DATA_DESCRIPTOR, crc: 0, packedBytes: 0, bytes: 0 }
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
    if (file.bytes !== bytes) throw new Error('The size of a file changed while it was packed.')
    file.packedBytes += BLOCK_HEADER_BYTES
    const descriptor = dataDescriptor(file, isLarge)
    yield storedBlockHeader(0, true)
    yield descriptor
    return { ...file, end: file.offset + head.length + file.packedBytes + descriptor.length }
  } finally {
    // The download can be aborted before this stream was read to its end.
    stream.destroy()
  }
}

const HEADER_BATCH_BYTES = 4_096

/** Headers are concatenated: hundreds of thousands of small buffers would need twice the memory. */
function append(directory: Buffer[], header: Buffer): void {
  const last = directory.at(-1)
  if (last === undefined || last.length > HEADER_BATCH_BYTES) directory.push(header)
  else directory[directory.length - 1] = Buffer.concat([last, header])
}
