import type { Container } from './container.ts'
import { isAdts, isMp3 } from './frame-sync.ts'
import { isMatroska } from './matroska-header.ts'
import { isMp4 } from './mp4-header.ts'
import { ascii, uint24 } from './read-bytes.ts'

/** How many bytes `sniffContainer` needs at most, ID3 tags of ordinary size included. */
export const SNIFF_BYTES = 8_192

/**
 * Detects the container by its first bytes, never by a name or a declared type. Each rule needs at least 30 fixed bits, so that
 * about one in 10⁹ files of random bytes passes as audio. A truncated header is not accepted.
 */
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
  ['mp3', isMp3],
  ['aac', isAdts],
]

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
  const [blockType, blockBytes, sampleRate] = [
    (bytes[4] ?? 0) & 0x7f,
    uint24(bytes, 5),
    uint24(bytes, 18) >> 4,
  ]
  return blockType === 0 && blockBytes === 34 && sampleRate > 0
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
