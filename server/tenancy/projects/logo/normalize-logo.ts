import jpeg from 'jpeg-js'
import { PNG } from 'pngjs'
import { orientationOf, turnUpright } from './exif-orientation.ts'
import type { ImageHeader } from './image-header.ts'
import { reducePng } from './reduce-png.ts'
import { type Image, shrinkImage } from './resize-image.ts'

/** Sharp on a screen with three pixels per point, at the width that the recording page shows. */
const LONGEST_SIDE = 512

/** Limits for jpeg-js. The header was checked already, but a file can contain a second one. */
const JPEG_LIMITS = { maxResolutionInMP: 9, maxMemoryUsageInMB: 256 }

export interface NormalizedLogo {
  png: Buffer
  width: number
  height: number
}

/** Decodes an image and encodes it again: nothing of the original bytes is kept. Throws if it is damaged. */
export function normalizeLogo(bytes: Buffer, header: ImageHeader): NormalizedLogo {
  const { width, height, data } = shrinkImage(
    header.format === 'png' ? decodePng(bytes, header) : decodeJpeg(bytes),
    LONGEST_SIDE,
  )
  const image = new PNG({ width, height })
  image.data = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  const isOpaque = data.every((value, at) => at % 4 !== 3 || value === 255)
  return { png: PNG.sync.write(image, { colorType: isOpaque ? 2 : 6, deflateLevel: 9 }), width, height }
}

function decodePng(bytes: Buffer, header: ImageHeader): Image {
  const { width, height, data } = PNG.sync.read(reducePng(bytes, header), { checkCRC: true })
  return { width, height, data }
}

function decodeJpeg(bytes: Buffer): Image {
  const decoded = jpeg.decode(bytes, { useTArray: true, tolerantDecoding: false, ...JPEG_LIMITS })
  const { exifBuffer } = decoded as { exifBuffer?: Uint8Array }
  return turnUpright(decoded, orientationOf(exifBuffer))
}
