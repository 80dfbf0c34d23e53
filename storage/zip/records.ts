/** The records of a zip file (APPNOTE 6.3.10), with ZIP64 fields where needed. */

/** General purpose flags. */
export const UTF8_NAMES = 0x0800
export const HAS_DATA_DESCRIPTOR = 0x0008

const DEFLATE = 8
/** 4.5, the first version with ZIP64. */
const VERSION = 45
const MADE_ON_UNIX = (3 << 8) | VERSION
/** Recordings are unpacked readable for their owner only. */
const MODE = (0o100600 << 16) >>> 0
/** As a field value these mean: see the ZIP64 field. */
const MAX_UINT32 = 0xffffffff
const MAX_UINT16 = 0xffff

export interface PackedFile {
  name: Buffer
  modifiedAt: Date
  flags: number
  crc: number
  packedBytes: number
  bytes: number
  /** The position of its local file header. */
  offset: number
}

/** Well below 4 GiB, because stored blocks add a ten-thousandth to the size. */
export const needsZip64 = (bytes: number): boolean => bytes >= 0xf0000000

/** Precedes the data. Also announces whether the data descriptor has 64-bit sizes. */
export function localFileHeader(
  { name, modifiedAt: at, flags, crc, packedBytes, bytes }: PackedFile,
  isLarge: boolean,
): Buffer {
  const extra = isLarge ? zip64Field([0, 0]) : NOTHING
  const head = Buffer.alloc(30)
  head.write('PK\x03\x04', 0, 'latin1')
  head.writeUInt16LE(VERSION, 4)
  head.writeUInt16LE(flags, 6)
  head.writeUInt16LE(DEFLATE, 8)
  head.writeUInt32LE(dosTime(at), 10)
  head.writeUInt32LE(crc, 14)
  head.writeUInt32LE(isLarge ? MAX_UINT32 : packedBytes, 18)
  head.writeUInt32LE(isLarge ? MAX_UINT32 : bytes, 22)
  head.writeUInt16LE(name.length, 26)
  head.writeUInt16LE(extra.length, 28)
  return Buffer.concat([head, name, extra])
}

/** Follows the data. 64-bit only if needed: Java decides by the unpacked size, not by the header. */
export function dataDescriptor({ crc, packedBytes, bytes }: PackedFile, isLarge: boolean): Buffer {
  const sizes = Buffer.alloc(isLarge ? 24 : 16)
  sizes.write('PK\x07\x08', 0, 'latin1')
  sizes.writeUInt32LE(crc, 4)
  if (isLarge) {
    writeUInt64(sizes, packedBytes, 8)
    writeUInt64(sizes, bytes, 16)
  } else {
    sizes.writeUInt32LE(packedBytes, 8)
    sizes.writeUInt32LE(bytes, 12)
  }
  return sizes
}

/** Half of the read buffer: a stored block of DEFLATE (RFC 1951, 3.2.4) holds at most 65,535 bytes. */
export const MAX_BLOCK_BYTES = 0x8000
export const BLOCK_HEADER_BYTES = 5

export function storedBlockHeader(length: number, isLast: boolean): Buffer {
  const head = Buffer.alloc(BLOCK_HEADER_BYTES)
  head.writeUInt8(isLast ? 1 : 0, 0)
  head.writeUInt16LE(length, 1)
  head.writeUInt16LE(~length & 0xffff, 3)
  return head
}

export function centralDirectoryHeader({
  name,
  modifiedAt: at,
  flags,
  crc,
  packedBytes,
  bytes,
  offset,
}: PackedFile): Buffer {
  const large = [bytes, packedBytes, offset].filter((value) => value >= MAX_UINT32)
  const extra = large.length > 0 ? zip64Field(large) : NOTHING
  const line = Buffer.alloc(46)
  line.write('PK\x01\x02', 0, 'latin1')
  line.writeUInt16LE(MADE_ON_UNIX, 4)
  line.writeUInt16LE(VERSION, 6)
  line.writeUInt16LE(flags, 8)
  line.writeUInt16LE(DEFLATE, 10)
  line.writeUInt32LE(dosTime(at), 12)
  line.writeUInt32LE(crc, 16)
  line.writeUInt32LE(Math.min(packedBytes, MAX_UINT32), 20)
  line.writeUInt32LE(Math.min(bytes, MAX_UINT32), 24)
  line.writeUInt16LE(name.length, 28)
  line.writeUInt16LE(extra.length, 30)
  line.writeUInt32LE(MODE, 38)
  line.writeUInt32LE(Math.min(offset, MAX_UINT32), 42)
  return Buffer.concat([line, name, extra])
}

/** `bytes` is the size of the central directory, `offset` its position. */
export function endOfCentralDirectory(files: number, bytes: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(Math.min(files, MAX_UINT16), 8)
  end.writeUInt16LE(Math.min(files, MAX_UINT16), 10)
  end.writeUInt32LE(Math.min(bytes, MAX_UINT32), 12)
  end.writeUInt32LE(Math.min(offset, MAX_UINT32), 16)
  const isLarge = files >= MAX_UINT16 || bytes >= MAX_UINT32 || offset >= MAX_UINT32
  return isLarge ? Buffer.concat([zip64EndOfCentralDirectory(files, bytes, offset), end]) : end
}

/** With the ZIP64 end of central directory locator. */
function zip64EndOfCentralDirectory(files: number, bytes: number, offset: number): Buffer {
  const end = Buffer.alloc(76)
  end.write('PK\x06\x06', 0, 'latin1')
  writeUInt64(end, 44, 4)
  end.writeUInt16LE(MADE_ON_UNIX, 12)
  end.writeUInt16LE(VERSION, 14)
  writeUInt64(end, files, 24)
  writeUInt64(end, files, 32)
  writeUInt64(end, bytes, 40)
  writeUInt64(end, offset, 48)
  end.write('PK\x06\x07', 56, 'latin1')
  writeUInt64(end, offset + bytes, 64)
  end.writeUInt32LE(1, 72)
  return end
}

const NOTHING = Buffer.alloc(0)
const ZIP64 = 0x0001

function zip64Field(values: number[]): Buffer {
  const field = Buffer.alloc(4 + values.length * 8)
  field.writeUInt16LE(ZIP64, 0)
  field.writeUInt16LE(values.length * 8, 2)
  for (const [at, value] of values.entries()) writeUInt64(field, value, 4 + at * 8)
  return field
}

const writeUInt64 = (to: Buffer, value: number, at: number): number => to.writeBigUInt64LE(BigInt(value), at)

const FIRST = Date.UTC(1980, 0, 1)
const LAST = Date.UTC(2107, 11, 31, 23, 59, 58)

/** MS-DOS time in steps of two seconds, in UTC. */
function dosTime(at: Date): number {
  const moment = new Date(Math.min(Math.max(at.getTime(), FIRST), LAST))
  const date =
    ((moment.getUTCFullYear() - 1980) << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate()
  const time = (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1)
  return ((date << 16) | time) >>> 0
}
