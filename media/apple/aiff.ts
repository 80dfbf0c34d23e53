import type { FileHandle } from 'node:fs/promises'
import { type AppleFile, LAWS, type PcmLayout } from './apple-file.ts'

const MAX_CHUNKS = 100

/** The compression types of AIFF-C that are samples. Without one they are signed and big-endian. */
const LAYOUTS: Readonly<Record<string, Partial<PcmLayout>>> = {
  NONE: {},
  twos: {},
  sowt: { isLittleEndian: true },
  'raw ': { isUnsigned: true },
  fl32: { isFloat: true, bytes: 4 },
  FL32: { isFloat: true, bytes: 4 },
  fl64: { isFloat: true, bytes: 8 },
  FL64: { isFloat: true, bytes: 8 },
  // Their header has the size of the decoded samples.
  ...Object.fromEntries(Object.entries(LAWS).map(([type, law]) => [type, { law, bytes: 1 }])),
}

/** AIFF and AIFF-C: chunks of a name, a size and their content, in big-endian order. */
export async function openAiff(file: FileHandle, fileSize: number): Promise<AppleFile | null> {
  let common: Buffer | null = null
  let offset = 12
  for (let chunk = 0; chunk < MAX_CHUNKS && offset + 8 <= fileSize; chunk++) {
    const head = await read(file, offset, 8)
    const [name, size] = [head.toString('latin1', 0, 4), head.readUInt32BE(4)]
    if (name === 'COMM') common = await read(file, offset + 8, Math.min(size, 64))
    if (name === 'SSND' && common && common.length >= 18) {
      const skipped = (await read(file, offset + 8, 4)).readUInt32BE(0)
      const start = offset + 16 + skipped
      // A recorder that was interrupted wrote no size.
      const end = size === 0 ? fileSize : Math.min(fileSize, offset + 8 + size)
      return describe(common, start, Math.max(0, end - start))
    }
    offset += 8 + size + (size % 2)
  }
  return null
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return bytesRead < length ? Buffer.alloc(length) : buffer
}

function describe(common: Buffer, offset: number, size: number): AppleFile {
  const type = common.length >= 22 ? common.toString('latin1', 18, 22) : 'NONE'
  const known = LAYOUTS[type]
  if (!known) return { codec: type }
  const bytes = Math.ceil(common.readUInt16BE(6) / 8)
  const layout = { bytes, isFloat: false, isLittleEndian: false, isUnsigned: false, ...known }
  return { codec: 'pcm', rate: extended(common, 8), channels: common.readUInt16BE(0), offset, size, layout }
}

/** An 80-bit float: sign and exponent, then the mantissa with its leading bit. */
function extended(bytes: Buffer, at: number): number {
  const exponent = (bytes.readUInt16BE(at) & 0x7fff) - 16_383
  return Math.round(Number(bytes.readBigUInt64BE(at + 2)) * 2 ** (exponent - 63))
}
