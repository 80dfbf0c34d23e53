import type { Image } from './resize-image.ts'

const ORIENTATION = 0x0112

/** From 1 (as stored) to 8. Cameras store photos sideways and say so only in the metadata, which is removed. */
export function orientationOf(exif: Uint8Array | undefined): number {
  const bytes = Buffer.from(exif ?? [])
  const start = ['II*\0', 'MM\0*'].map((mark) => bytes.indexOf(mark, 0, 'latin1')).find((at) => at !== -1)
  if (start === undefined) return 1
  try {
    const isLittle = bytes[start] === 0x49
    const short = (at: number) => (isLittle ? bytes.readUInt16LE(start + at) : bytes.readUInt16BE(start + at))
    const directory = isLittle ? bytes.readUInt32LE(start + 4) : bytes.readUInt32BE(start + 4)
    for (let entry = 0; entry < short(directory); entry++) {
      const at = directory + 2 + entry * 12
      if (short(at) === ORIENTATION) return short(at + 8)
    }
  } catch {
    // Damaged metadata: the image is shown as stored.
  }
  return 1
}

/** Turns and mirrors the pixels so that the image is upright without metadata. */
export function turnUpright(image: Image, orientation: number): Image {
  if (orientation < 2 || orientation > 8) return image
  const { width, height } = image
  const isTurned = orientation >= 5
  const [newWidth, newHeight] = isTurned ? [height, width] : [width, height]
  const mirrorsX = [2, 3, 7, 8].includes(orientation)
  const mirrorsY = [3, 4, 6, 7].includes(orientation)
  const source = new Uint32Array(image.data.slice().buffer)
  const result = new Uint32Array(source.length)
  for (let y = 0; y < newHeight; y++)
    for (let x = 0; x < newWidth; x++) {
      const [column, row] = isTurned ? [y, x] : [x, y]
      const fromX = mirrorsX ? width - 1 - column : column
      const fromY = mirrorsY ? height - 1 - row : row
      result[y * newWidth + x] = source[fromY * width + fromX] ?? 0
    }
  return { width: newWidth, height: newHeight, data: new Uint8Array(result.buffer) }
}
