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
export function localFileHeader(file: PackedFile, isLarge: boolean): Buffer {
  const sizes = isLarge ? [MAX_UINT32, MAX_UINT32] : [file.packedBytes, file.bytes]
  const extra = isLarge ? zip64Field([0, 0]) : NOTHING
  const head = pack('PK\x03\x04', [
    [2, VERSION, file.flags, DEFLATE],
    [4, dosTime(file.modifiedAt), file.crc, ...sizes],
    [2, file.name.length, extra.length],
  ])
  return Buffer.concat([head, file.name, extra])
}

/** Follows the data. 64-bit only if needed: Java decides by the unpacked size, not by the header. */
export const dataDescriptor = ({ crc, packedBytes, bytes }: PackedFile, isLarge: boolean): Buffer =>
  pack('PK\x07\x08', [
    [4, crc],
    [isLarge ? 8 : 4, packedBytes, bytes],
  ])

/** Half of the read buffer: a stored block of DEFLATE (RFC 1951, 3.2.4) holds at most 65,535 bytes. */
export const MAX_BLOCK_BYTES = 0x8000
export const BLOCK_HEADER_BYTES = 5

export const storedBlockHeader = (length: number, isLast: boolean): Buffer =>
  pack('', [
    [1, isLast ? 1 : 0],
    [2, length, ~length & 0xffff],
  ])

export function centralDirectoryHeader(file: PackedFile): Buffer {
  const { name, packedBytes, bytes, offset } = file
  const large = [bytes, packedBytes, offset].filter((value) => value >= MAX_UINT32)
  const extra = large.length > 0 ? zip64Field(large) : NOTHING
  const header = pack('PK\x01\x02', [
    [2, MADE_ON_UNIX, VERSION, file.flags, DEFLATE],
    [4, dosTime(file.modifiedAt), file.crc, Math.min(packedBytes, MAX_UINT32), Math.min(bytes, MAX_UINT32)],
    // Comment, disk and internal attributes are empty.
    [2, name.length, extra.length, 0, 0, 0],
    [4, MODE, Math.min(offset, MAX_UINT32)],
  ])
  return Buffer.concat([header, name, extra])
}

/** `bytes` is the size of the central directory, `offset` its position. */
export function endOfCentralDirectory(files: number, bytes: number, offset: number): Buffer {
  const count = Math.min(files, MAX_UINT16)
  const end = pack('PK\x05\x06', [
    [2, 0, 0, count, count],
    [4, Math.min(bytes, MAX_UINT32), Math.min(offset, MAX_UINT32)],
    [2, 0],
  ])
  const isLarge = files >= MAX_UINT16 || bytes >= MAX_UINT32 || offset >= MAX_UINT32
  return isLarge ? Buffer.concat([zip64EndOfCentralDirectory(files, bytes, offset), end]) : end
}

/** With the ZIP64 end of central directory locator. */
const zip64EndOfCentralDirectory = (files: number, bytes: number, offset: number): Buffer =>
  Buffer.concat([
    pack('PK\x06\x06', [
      [8, 44],
      [2, MADE_ON_UNIX, VERSION],
      [4, 0, 0],
      [8, files, files, bytes, offset],
    ]),
    pack('PK\x06\x07', [
      [4, 0],
      [8, offset + bytes],
      [4, 1],
    ]),
  ])

const NOTHING = Buffer.alloc(0)
const ZIP64 = 0x0001

const zip64Field = (values: number[]): Buffer =>
  pack('', [
    [2, ZIP64, values.length * 8],
    [8, ...values],
  ])

/** A signature and little-endian fields, in groups of the same size in bytes. */
function pack(signature: string, groups: [size: 1 | 2 | 4 | 8, ...values: number[]][]): Buffer {
  const bytes = groups.reduce((sum, [size, ...values]) => sum + size * values.length, signature.length)
  const record = Buffer.alloc(bytes)
  let at = record.write(signature, 'latin1')
  for (const [size, ...values] of groups)
    for (const value of values)
      at = size === 8 ? record.writeBigUInt64LE(BigInt(value), at) : record.writeUIntLE(value, at, size)
  return record
}

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
