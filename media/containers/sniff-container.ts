import type { Container } from './container.ts'
import { FRAMES, hasFrames, uint24 } from './frame-headers.ts'

/** How many bytes `sniffContainer` needs at most, ID3 tags of ordinary size included. */
export const SNIFF_BYTES = 8_192

/** Detects a container by its first bytes alone. At least 30 bits are fixed: one in 10⁹ files of random bytes passes as audio. */
export function sniffContainer(bytes: Uint8Array): Container | null {
  for (const [container, matches] of rules) if (matches(bytes)) return container
  return bytes.length > 10 && ascii(bytes, 0, 3) === 'ID3' ? sniffAfterTag(bytes) : null
}

const rules: [Container, (bytes: Uint8Array) => boolean][] = [
  ['webm', isMatroska],
  ['ogg', isOgg],
  ['mp4', isMp4],
  ['wav', isWave],
  ['flac', isFlac],
  ['aiff', isAiff],
  ['caf', isCaf],
  ['mp3', (bytes) => hasFrames(bytes, 0, FRAMES.mp3, 2)],
  ['aac', (bytes) => hasFrames(bytes, 0, FRAMES.aac, 2)],
]

const EBML = 0x1a45dfa3
const DOC_TYPE = 0x4282

/** RFC 8794: an EBML header whose document type is WebM or Matroska. */
function isMatroska(bytes: Uint8Array): boolean {
  if (uint32(bytes, 0) !== EBML) return false
  const header = element(bytes, 4)
  if (!header || bytes.length < header.end) return false
  for (let at = header.start; at < header.end; ) {
    const id = variable(bytes, at)
    const body = id && element(bytes, id.next)
    if (!id || !body) return false
    if (id.raw === DOC_TYPE)
      return /^(webm|matroska)\0*$/.test(ascii(bytes, body.start, body.end - body.start))
    at = body.end
  }
  return false
}

function element(bytes: Uint8Array, sizeAt: number): { start: number; end: number } | null {
  const size = variable(bytes, sizeAt)
  return size && { start: size.next, end: size.next + size.value }
}

/** A number whose leading zero bits give its length; `raw` keeps the marker bit, as identifiers do. */
function variable(bytes: Uint8Array, at: number): { raw: number; value: number; next: number } | null {
  const first = bytes[at] ?? 0
  const length = Math.clz32(first) - 23
  if (length > 8 || at + length > bytes.length) return null
  const rest = bytes.subarray(at + 1, at + length)
  const number = (start: number) => rest.reduce((sum, byte) => sum * 256 + byte, start)
  return { raw: number(first), value: number(first & (0xff >> length)), next: at + length }
}

/** RFC 3533: page number 0 of a stream, version 0, with at least one packet. */
function isOgg(bytes: Uint8Array): boolean {
  if (bytes.length < 28 || ascii(bytes, 0, 4) !== 'OggS') return false
  const [version, flags] = [bytes[4], bytes[5] ?? 0]
  const beginsStream = (flags & 0b111) === 0b010
  const pageNumber = bytes.subarray(18, 22)
  const segments = bytes[26] ?? 0
  return version === 0 && beginsStream && pageNumber.every((byte) => byte === 0) && segments > 0
}

/** RIFF, and its variants for more than 4 GiB (RF64, BW64). */
function isWave(bytes: Uint8Array): boolean {
  if (bytes.length < 20 || ascii(bytes, 8, 4) !== 'WAVE') return false
  const firstChunk = ascii(bytes, 12, 4)
  const form = ascii(bytes, 0, 4)
  if (form === 'RF64' || form === 'BW64') return firstChunk === 'ds64' || firstChunk === 'JUNK'
  return form === 'RIFF' && /^[\x20-\x7e]{4}$/.test(firstChunk)
}

/** RFC 9639: the first block is STREAMINFO, 34 bytes long. */
function isFlac(bytes: Uint8Array): boolean {
  if (bytes.length < 42 || ascii(bytes, 0, 4) !== 'fLaC') return false
  const blockType = (bytes[4] ?? 0) & 0x7f
  const [blockBytes, sampleRate] = [uint24(bytes, 5), uint24(bytes, 18) >> 4]
  return blockType === 0 && blockBytes === 34 && sampleRate > 0
}

/** AIFF and AIFF-C, with one of their chunks. */
function isAiff(bytes: Uint8Array): boolean {
  if (ascii(bytes, 0, 4) !== 'FORM' || !/^AIF[FC]$/.test(ascii(bytes, 8, 4))) return false
  return /^(COMM|FVER|COMT|SSND|MARK|INST|MIDI|NAME|AUTH|ANNO|APPL|CHAN|FLLR|ID3 |\(c\) )$/.test(
    ascii(bytes, 12, 4),
  )
}

/** Core Audio Format, version 1: the description of the format comes first, and has 32 bytes. */
function isCaf(bytes: Uint8Array): boolean {
  const isVersion1 = ascii(bytes, 0, 12) === 'caff\0\x01\0\0desc'
  return bytes.length >= 52 && isVersion1 && ascii(bytes, 12, 8) === '\0\0\0\0\0\0\0\x20'
}

/** Brands of still images, which use the same boxes. */
const IMAGE_BRANDS = /^(?:hei[cxms]|hev[cx]|mif1|msf1|avi[fs]|crx |jp2 )$/

/** A list of brands is short; a longer box is something else. */
const MAX_FTYP_BYTES = 1_024

/** ISO 14496-12, and older QuickTime files, which begin with `moov`, or with `wide` before the data. A fragment is not a file. */
function isMp4(bytes: Uint8Array): boolean {
  const [size, type] = [uint32(bytes, 0), ascii(bytes, 4, 4)]
  if (type === 'ftyp') return isBrandList(bytes, size)
  if (type === 'moov') return size >= 16 && /^(mvhd|cmov)$/.test(ascii(bytes, 12, 4))
  return type === 'wide' && size === 8 && ascii(bytes, 12, 4) === 'mdat'
}

function isBrandList(bytes: Uint8Array, size: number): boolean {
  if (size < 16 || size > MAX_FTYP_BYTES || size % 4 !== 0 || bytes.length < size) return false
  const brand = ascii(bytes, 8, 4)
  return /^[\x20-\x7e]{4}$/.test(brand) && !IMAGE_BRANDS.test(brand)
}

/** ID3v2 precedes MP3, and sometimes AAC or FLAC. A tag that exceeds the given bytes (it holds a picture) counts as MP3's. */
function sniffAfterTag(bytes: Uint8Array): Container | null {
  const size = tagBytes(bytes)
  if (size === null) return null
  if (size > bytes.length) return /^[A-Z][A-Z0-9]{2}/.test(ascii(bytes, 10, 3)) ? 'mp3' : null
  const rest = bytes.subarray(size)
  const found = rules.find(([, matches]) => matches(rest))?.[0] ?? null
  return found === 'mp3' || found === 'aac' || found === 'flac' ? found : null
}

/** The size of an ID3 tag with its header: versions 2.2 to 2.4, a length of four times seven bits. */
function tagBytes(bytes: Uint8Array): number | null {
  const [version = 0, revision, , ...size] = bytes.subarray(3, 10)
  if (version < 2 || version > 4 || revision === 0xff || size.some((byte) => byte > 0x7f)) return null
  return 10 + size.reduce((sum, byte) => sum * 128 + byte, 0)
}

const ascii = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length))

const uint32 = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) * 2 ** 24 + uint24(bytes, at + 1)
