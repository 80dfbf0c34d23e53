/** RGBA, 8 bits each, not premultiplied. */
export interface Image {
  width: number
  height: number
  data: Uint8Array
}

/** Values of sRGB are not proportional to light: averaging them directly darkens thin lines of a logo. */
const toLight = Float32Array.from({ length: 256 }, (_, value) => {
  const share = value / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
})
const fromLight = (light: number): number =>
  Math.round(255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055))

/**
 * Shrinks an image until its longer side has at most `longest` pixels; smaller images stay as they are. Each new pixel is the average
 * of the area that it covers. Row by row, so that only the small image is stored with four bytes per channel.
 */
export function shrinkImage(image: Image, longest: number): Image {
  const scale = longest / Math.max(image.width, image.height)
  if (scale >= 1) return image
  const width = Math.max(1, Math.round(image.width * scale))
  const height = Math.max(1, Math.round(image.height * scale))
  const [columns, rows] = [coverage(image.width, width), coverage(image.height, height)]
  const sums = new Float32Array(width * height * 4)
  const row = new Float32Array(width * 4)
  for (let y = 0; y < image.height; y++) {
    row.fill(0)
    for (let x = 0; x < image.width; x++)
      for (const { target, share } of columns[x] ?? [])
        addPixel(row, target * 4, image.data, (y * image.width + x) * 4, share)
    for (const { target, share } of rows[y] ?? [])
      for (let at = 0; at < row.length; at++) {
        const to = target * row.length + at
        sums[to] = (sums[to] ?? 0) + share * (row[at] ?? 0)
      }
  }
  return { width, height, data: toRgba(sums) }
}

/** For each old position, the one or two new positions that it is a part of, and how much of them it is. */
function coverage(from: number, to: number): { target: number; share: number }[][] {
  const ratio = from / to
  return Array.from({ length: from }, (_, position) => {
    const target = Math.min(to - 1, Math.floor(position / ratio))
    const next = Math.max(0, position + 1 - (target + 1) * ratio)
    const parts = [{ target, share: (1 - next) / ratio }]
    return next > 0 && target + 1 < to ? [...parts, { target: target + 1, share: next / ratio }] : parts
  })
}

/** Premultiplied, so that the colour of transparent pixels does not leak into their neighbours. */
function addPixel(row: Float32Array, to: number, data: Uint8Array, from: number, share: number): void {
  const weight = ((data[from + 3] ?? 0) / 255) * share
  for (let channel = 0; channel < 3; channel++)
    row[to + channel] = (row[to + channel] ?? 0) + (toLight[data[from + channel] ?? 0] ?? 0) * weight
  row[to + 3] = (row[to + 3] ?? 0) + weight
}

function toRgba(sums: Float32Array): Uint8Array {
  const data = new Uint8Array(sums.length)
  for (let at = 0; at < sums.length; at += 4) {
    const alpha = sums[at + 3] ?? 0
    if (alpha <= 0) continue
    for (let channel = 0; channel < 3; channel++)
      data[at + channel] = fromLight(Math.min(1, (sums[at + channel] ?? 0) / alpha))
    data[at + 3] = Math.round(Math.min(1, alpha) * 255)
  }
  return data
}
