import { lazy } from '../../lazy.ts'
import { plainText } from './plain-text.ts'

/** File systems allow 255 bytes; this leaves room for an extension and for " (1)". */
const MAX_BYTES = 180

/** Characters with a meaning in paths or on Windows; `%`, because some browsers decode it. */
const RESERVED = /[<>:"/\\|?*%]/g

/** Device names on Windows, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/** Windows limits a whole path to 260 characters. */
const MAX_FOLDER_BYTES = 60

/** A name for a downloaded file: it shows the title, contains no path, and is valid and visible on every system. */
export const fileName = ({ title, untitled }: Titled, extension: string): string =>
  `${nameOf(title, MAX_BYTES) || untitled}.${extension}`

export interface Titled {
  title: string
  /** The name if the title has no visible characters, or cannot be written in ASCII where only that is allowed. */
  untitled: string
}

/** A folder name. The end of the id distinguishes folders of the same title. */
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

/** A `Content-Disposition` (RFC 6266): the name in UTF-8 (RFC 8187), and in ASCII for clients that do not support it. */
export function contentDisposition(kind: 'attachment' | 'inline', titled: Titled, extension: string): string {
  const name = fileName(titled, extension)
  return `${kind}; filename="${asciiName(name, `${titled.untitled}.${extension}`)}"; filename*=UTF-8''${extendedValue(name)}`
}

function asciiName(name: string, untitled: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\x20-\x7e]+/g, '-')
    .replace(RESERVED, '-')
  return /^[-\s]*\./.test(ascii) ? untitled : ascii
}

/** `encodeURIComponent` leaves three characters that RFC 8187 does not allow (and `*`, which names never contain). */
function extendedValue(name: string): string {
  return encodeURIComponent(name).replace(
    /['()]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

const graphemes = lazy(() => new Intl.Segmenter('en', { granularity: 'grapheme' }))

/** Cuts between graphemes. */
function cutToBytes(text: string, bytes: number): string {
  let length = 0
  let used = 0
  for (const { segment } of graphemes().segment(text.slice(0, bytes))) {
    used += Buffer.byteLength(segment)
    if (used > bytes) break
    length += segment.length
  }
  return text.slice(0, length)
}
