import { plainText } from './plain-text.ts'

/** File systems allow 255 bytes; this leaves room for an extension and for " (1)". */
const MAX_BYTES = 180

/** Reserved in paths and on Windows; `%` because some browsers decode it in the ASCII name. */
const RESERVED = /[<>:"/\\|?*%]/g

/** Device names on Windows, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/** Windows allows 260 characters for a whole path. */
const MAX_FOLDER_BYTES = 60

/** A name for a downloaded file that every operating system accepts and shows. */
export const fileName = (title: string, extension: string): string =>
  `${nameOf(title, MAX_BYTES) || 'conversation'}.${extension}`

/** The end of the id distinguishes folders with the same title. */
export const folderName = (title: string, id: string): string =>
  `${nameOf(title, MAX_FOLDER_BYTES)} ${id.slice(-12)}`.trim()

function nameOf(title: string, bytes: number): string {
  const visible = plainText(title)
    .replace(RESERVED, '-')
    .replace(/^[.\s]+/, '')
  return cutToBytes(visible, bytes)
    .replace(/[.\s]+$/, '')
    .replace(DEVICE, '$1-')
}

/** A `Content-Disposition` (RFC 6266): the name in UTF-8 (RFC 8187), and in ASCII for old clients. */
export function contentDisposition(kind: 'attachment' | 'inline', title: string, extension: string): string {
  const name = fileName(title, extension)
  return `${kind}; filename="${asciiName(name, extension)}"; filename*=UTF-8''${extendedValue(name)}`
}

function asciiName(name: string, extension: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\x20-\x7e]+/g, '-')
    .replace(RESERVED, '-')
  return /^[-\s]*\./.test(ascii) ? `conversation.${extension}` : ascii
}

/** `encodeURIComponent` does not encode three characters that RFC 8187 forbids (and `*`, which no name contains). */
function extendedValue(name: string): string {
  return encodeURIComponent(name).replace(
    /['()]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Cuts between graphemes. */
function cutToBytes(text: string, bytes: number): string {
  let length = 0
  let used = 0
  for (const { segment } of graphemes.segment(text.slice(0, bytes))) {
    used += Buffer.byteLength(segment)
    if (used > bytes) break
    length += segment.length
  }
  return text.slice(0, length)
}
