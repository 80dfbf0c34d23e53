import { crc32 } from 'node:zlib'
import { PNG } from 'pngjs'

type Rgba = [red: number, green: number, blue: number, alpha: number]

/** An image of one colour, or of the colour of each pixel. */
export function pngOf(width: number, height: number, color: Rgba | ((x: number, y: number) => Rgba)): Buffer {
  const image = new PNG({ width, height })
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      image.data.set(typeof color === 'function' ? color(x, y) : color, (y * width + x) * 4)
  return PNG.sync.write(image)
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}

/** The image with a text in its metadata. */
export const withText = (png: Buffer, text: string): Buffer =>
  Buffer.concat([png.subarray(0, 33), pngChunk('tEXt', Buffer.from(`Comment\0${text}`)), png.subarray(33)])
