import { ascii, uint32 } from './read-bytes.ts'

/** Still pictures of phones and cameras are the same boxes. */
const PICTURES = new Set([
  'heic',
  'heix',
  'heim',
  'heis',
  'hevc',
  'hevx',
  'mif1',
  'msf1',
  'avif',
  'avis',
  'crx ',
  'jp2 ',
])

/** Brands are few; a longer list is no list of brands. */
const MAX_FTYP_BYTES = 1_024

/**
 * ISO 14496-12, with QuickTime's older habits: files without a list of brands begin with `moov`, or with `wide` before the
 * data. A fragment (`moof`, `styp`) is no file of its own.
 */
export function isMp4(bytes: Uint8Array): boolean {
  const [size, type] = [uint32(bytes, 0), ascii(bytes, 4, 4)]
  if (type === 'ftyp') return isBrandList(bytes, size)
  if (type === 'moov') return size >= 16 && /^(mvhd|cmov)$/.test(ascii(bytes, 12, 4))
  return type === 'wide' && size === 8 && ascii(bytes, 12, 4) === 'mdat'
}

function isBrandList(bytes: Uint8Array, size: number): boolean {
  if (size < 16 || size > MAX_FTYP_BYTES || size % 4 !== 0 || bytes.length < size) return false
  const brand = ascii(bytes, 8, 4)
  return /^[\x20-\x7e]{4}$/.test(brand) && !PICTURES.has(brand)
}
