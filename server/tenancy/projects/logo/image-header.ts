export interface ImageHeader {
  format: 'png' | 'jpeg'
  width: number
  height: number
}

/** Formats that people try and that are not accepted. */
export type OtherFormat = 'webp' | 'gif' | 'svg' | 'avif or heic'

const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.subarray(at, at + text.length).toString('latin1') === text

/** Format and dimensions, from the first bytes and without decoding. Null if they are damaged or of an unknown format. */
export function readImageHeader(bytes: Buffer): ImageHeader | { other: OtherFormat } | null {
  if (startsWith(bytes, '\x89PNG\r\n\x1a\n')) return pngHeader(bytes)
  if (startsWith(bytes, '\xff\xd8\xff')) return jpegHeader(bytes)
  const other = otherFormat(bytes)
  return other && { other }
}

function otherFormat(bytes: Buffer): OtherFormat | null {
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) return 'webp'
  if (startsWith(bytes, 'GIF8')) return 'gif'
  if (startsWith(bytes, 'ftyp', 4)) return 'avif or heic'
  return /^\s*<[?!s]/i.test(
    bytes
      .subarray(0, 100)
      .toString('utf8')
      .replace(/^\ufeff/, ''),
  )
    ? 'svg'
    : null
}

function pngHeader(bytes: Buffer): ImageHeader | null {
  if (bytes.length < 33 || !startsWith(bytes, 'IHDR', 12)) return null
  return sized('png', bytes.readUInt32BE(16), bytes.readUInt32BE(20))
}

/** Baseline and progressive; others (lossless, arithmetic coding) are not in use. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2])

/** Reads from segment to segment until the frame header. */
function jpegHeader(bytes: Buffer): ImageHeader | null {
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] ?? 0
    // Fill bytes before a marker.
    if (marker === 0xff) {
      at += 1
      continue
    }
    const length = bytes.readUInt16BE(at + 2)
    if (FRAMES.has(marker)) return sized('jpeg', bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5))
    if (length < 2 || marker < 0xc4 || marker === 0xda) return null
    at += 2 + length
  }
  return null
}

const sized = (format: ImageHeader['format'], width: number, height: number): ImageHeader | null =>
  width > 0 && height > 0 ? { format, width, height } : null
