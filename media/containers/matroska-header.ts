import { ascii, uint32 } from './read-bytes.ts'

const EBML = 0x1a45dfa3
const DOC_TYPE = 0x4282

/** RFC 8794: an EBML header whose document type is WebM or Matroska. */
export function isMatroska(bytes: Uint8Array): boolean {
  if (uint32(bytes, 0) !== EBML) return false
  const header = element(bytes, 4)
  if (!header || bytes.length < header.end) return false
  for (let at = header.start; at < header.end; ) {
    const id = variable(bytes, at)
    const body = id && element(bytes, id.next)
    if (!id || !body) return false
    if (id.raw === DOC_TYPE) return isDocType(ascii(bytes, body.start, body.end - body.start))
    at = body.end
  }
  return false
}

function isDocType(text: string): boolean {
  return /^(webm|matroska)\0*$/.test(text)
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
