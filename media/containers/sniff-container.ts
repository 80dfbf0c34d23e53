import type { Container } from './container.ts'
import { isAdts, isMp3 } from './frame-sync.ts'
import { isMatroska } from './matroska-header.ts'
import { isMp4 } from './mp4-header.ts'
import { ascii, uint24 } from './read-bytes.ts'

/** As much of a file as `sniffContainer` ever looks at, tags of ordinary size included. */
export const SNIFF_BYTES = 8_192

/**
 * The container by its first bytes, never by a name or a declared type. Each rule asks for at least 30 fixed bits, so that
 * among 10⁹ files of random bytes about one is taken for audio; a header that is cut short is none.
 */
export function sniffContainer(bytes: Uint8Array): Container | null {
  for (const [container, isOne] of rules) if (isOne(bytes)) return container
  return bytes.length > 10 && ascii(bytes, 0, 3) === 'ID3' ? sniffBehindTag(bytes) : null
}

const contentTypes: Record<Container, string> = {
  webm: 'audio/webm',
  ogg: 'audio/ogg',
  mp4: 'audio/mp4',
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  flac: 'audio/flac',
  aac: 'audio/aac',
}

/** What a file of this container is served as. */
export function containerContentType(container: Container): string {
  return contentTypes[container]
}

/** What a file that is served as this is called; `m4a`, since players take an `mp4` for a film. */
export function extensionOf(contentType: string): string {
  const [container] = Object.entries(contentTypes).find(([, type]) => type === contentType) ?? ['bin']
  return container === 'mp4' ? 'm4a' : container
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

/** RFC 3533: a page of version 0 that begins a stream, being its number 0, with a packet in it. */
function isOgg(bytes: Uint8Array): boolean {
  if (bytes.length < 28 || ascii(bytes, 0, 4) !== 'OggS') return false
  const [version, flags] = [bytes[4], bytes[5] ?? 0]
  const beginsStream = (flags & 0b111) === 0b010
  const pageNumber = bytes.subarray(18, 22)
  const segments = bytes[26] ?? 0
  return version === 0 && beginsStream && pageNumber.every((byte) => byte === 0) && segments > 0
}

/** RIFF, and its forms for more than 4 GiB (RF64, BW64); the first chunk tells WAVE from a mere prefix. */
function isWave(bytes: Uint8Array): boolean {
  if (bytes.length < 20 || ascii(bytes, 8, 4) !== 'WAVE') return false
  const firstChunk = ascii(bytes, 12, 4)
  const form = ascii(bytes, 0, 4)
  if (form === 'RF64' || form === 'BW64') return firstChunk === 'ds64' || firstChunk === 'JUNK'
  return form === 'RIFF' && /^[\x20-\x7e]{4}$/.test(firstChunk)
}

/** RFC 9639: STREAMINFO comes first, and is 34 bytes of sane numbers. */
function isFlac(bytes: Uint8Array): boolean {
  if (bytes.length < 42 || ascii(bytes, 0, 4) !== 'fLaC') return false
  const [blockType, blockBytes, sampleRate] = [
    (bytes[4] ?? 0) & 0x7f,
    uint24(bytes, 5),
    uint24(bytes, 18) >> 4,
  ]
  return blockType === 0 && blockBytes === 34 && sampleRate > 0
}

/** ID3v2 stands before MP3, and sometimes before AAC or FLAC. A tag longer than what is at hand (a picture) is taken for MP3's. */
function sniffBehindTag(bytes: Uint8Array): Container | null {
  const size = tagBytes(bytes)
  if (size === null) return null
  if (size > bytes.length) return /^[A-Z][A-Z0-9]{2}/.test(ascii(bytes, 10, 3)) ? 'mp3' : null
  const rest = bytes.subarray(size)
  const found = rules.find(([, isOne]) => isOne(rest))?.[0] ?? null
  return found === 'mp3' || found === 'aac' || found === 'flac' ? found : null
}

/** Of the tag with its header: versions 2.2 to 2.4, and a length of four times seven bits. */
function tagBytes(bytes: Uint8Array): number | null {
  const [version = 0, revision, , ...size] = bytes.subarray(3, 10)
  if (version < 2 || version > 4 || revision === 0xff || size.some((byte) => byte > 0x7f)) return null
  return 10 + size.reduce((sum, byte) => sum * 128 + byte, 0)
}
