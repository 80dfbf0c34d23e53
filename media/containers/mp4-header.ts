import { ascii, uint32 } from './read-bytes.ts'

/** Brands of still images, which use the same boxes. */
const IMAGE_BRANDS = /^(?:hei[cxms]|hev[cx]|mif1|msf1|avi[fs]|crx |jp2 )$/

/** A list of brands is short; a longer box is something else. */
const MAX_FTYP_BYTES = 1_024

/**
 * ISO 14496-12, and older QuickTime files, which have no list of brands and begin with `moov`, or with `wide` before the data. A
 * fragment (`moof`, `styp`) is not a file.
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
  return /^[\x20-\x7e]{4}$/.test(brand) && !IMAGE_BRANDS.test(brand)
}
