import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import jpeg from 'jpeg-js'
import { PNG } from 'pngjs'
import { Problem } from '../../../api/problems.ts'
import { decodeLogo } from './decode-logo.ts'
import { orientationOf, turnUpright } from './exif-orientation.ts'
import { readImageHeader } from './image-header.ts'
import { normalizeLogo } from './normalize-logo.ts'
import { shrinkImage } from './resize-image.ts'
import { pngChunk, pngOf } from './testing/images.ts'

const SIGNATURE = pngOf(1, 1, [0, 0, 0, 0]).subarray(0, 8)

const pixels = (width: number, height: number, seed = 1): Buffer =>
  Buffer.from(Array.from({ length: width * height * 4 }, (_, at) => (at * 37 * seed + (at >> 3)) & 255))
const jpegOf = (width: number, height: number): Buffer =>
  jpeg.encode({ width, height, data: pixels(width, height) }, 80).data

const headerOf = (bytes: Buffer) => {
  const header = readImageHeader(bytes)
  assert.ok(header && !('other' in header))
  return header
}

test('reads the dimensions from the header', () => {
  assert.deepEqual(readImageHeader(pngOf(30, 20, [0, 0, 0, 0])), { format: 'png', width: 30, height: 20 })
  assert.deepEqual(readImageHeader(jpegOf(31, 17)), { format: 'jpeg', width: 31, height: 17 })
  for (const [bytes, other] of [
    ['RIFF\0\0\0\0WEBPVP8L', 'webp'],
    ['GIF89a', 'gif'],
    ['<?xml version="1.0"?><svg/>', 'svg'],
    ['  <svg xmlns="x"/>', 'svg'],
    ['\0\0\0\x20ftypavif', 'avif or heic'],
  ] as const)
    assert.deepEqual(readImageHeader(Buffer.from(bytes, 'latin1')), { other })
  for (const bytes of ['', 'hello', '\x89PNG\r\n\x1a\n', '\xff\xd8\xff\xe0'])
    assert.equal(readImageHeader(Buffer.from(bytes, 'latin1')), null)
})

test('a small image keeps its pixels and its transparency', async () => {
  const source = pixels(40, 30)
  const image = new PNG({ width: 40, height: 30 })
  image.data = source
  const { png, width, height } = await decodeLogo(PNG.sync.write(image))
  assert.deepEqual([width, height], [40, 30])
  assert.deepEqual(PNG.sync.read(png).data, source)
})

test('the longer side has at most 512 pixels', async () => {
  const { png, width, height } = await decodeLogo(pngOf(300, 1_200, [10, 200, 30, 255]))
  assert.deepEqual([width, height], [128, 512])
  assert.deepEqual([...PNG.sync.read(png).data.subarray(0, 4)], [10, 200, 30, 255])
})

test('shrinking averages light, and ignores the colour of transparent pixels', () => {
  const stripes = Uint8Array.from({ length: 4 * 4 * 4 }, (_, at) =>
    at % 4 === 3 ? 255 : Math.floor(at / 4) % 2 === 0 ? 0 : 255,
  )
  const grey = shrinkImage({ width: 4, height: 4, data: stripes }, 2)
  // Half of the light is 188 in sRGB, not 128.
  assert.deepEqual([...grey.data.subarray(0, 4)], [188, 188, 188, 255])
  const halfTransparent = Uint8Array.from([255, 0, 0, 255, 0, 255, 0, 0])
  const { data } = shrinkImage({ width: 2, height: 1, data: halfTransparent }, 1)
  assert.deepEqual([...data], [255, 0, 0, 128])
})

test('an image of one colour stays so at every size', () => {
  const size = fc.integer({ min: 1, max: 70 })
  fc.assert(
    fc.property(size, size, fc.integer({ min: 1, max: 40 }), (width, height, longest) => {
      const data = Uint8Array.from(
        { length: width * height * 4 },
        (_, at) => [120, 60, 200, 255][at % 4] ?? 0,
      )
      const small = shrinkImage({ width, height, data }, longest)
      assert.ok(small.width <= Math.max(longest, 1) || small.width === width)
      assert.ok(Math.max(small.width, small.height) <= Math.max(longest, Math.min(longest, width, height)))
      for (const [at, value] of small.data.entries())
        assert.ok(Math.abs(value - ([120, 60, 200, 255][at % 4] ?? 0)) <= 1, `${width}×${height}`)
    }),
  )
})

test('photos are turned upright', () => {
  const tiff = Buffer.from('\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0', 'latin1')
  assert.equal(orientationOf(tiff), 6)
  assert.equal(orientationOf(undefined), 1)
  assert.equal(orientationOf(tiff.subarray(0, 12)), 1)
  // 0 1 2
  // 3 4 5
  const image = {
    width: 3,
    height: 2,
    data: Uint8Array.from([0, 1, 2, 3, 4, 5].flatMap((n) => [n, n, n, 255])),
  }
  const turned = (orientation: number) => {
    const { width, data } = turnUpright(image, orientation)
    return [width, ...data.filter((_, at) => at % 4 === 0)].join('')
  }
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map(turned),
    ['3012345', '3210543', '3543210', '3345012', '2031425', '2304152', '2524130', '2251403', '3012345'].map(
      String,
    ),
  )
})

test('refuses an image that inflates to more than its dimensions, without inflating it', async () => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(8, 0)
  header.writeUInt32BE(8, 4)
  header.set([8, 6, 0, 0, 1], 8)
  // Interlaced, and 200 MiB of zeros in 200 KB.
  const bomb = Buffer.concat([
    SIGNATURE,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(200 * 1024 * 1024), { level: 1 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
  const before = process.memoryUsage().rss
  assert.throws(() => normalizeLogo(bomb, headerOf(bomb)), /larger than/)
  assert.ok(process.memoryUsage().rss - before < 100 * 1024 * 1024)
})

test('ends a decoder that does not return', async () => {
  const worker = new URL('./testing/endless-worker.ts', import.meta.url)
  await assert.rejects(
    decodeLogo(pngOf(2, 2, [0, 0, 0, 0]), { stallMs: 60_000, cpuMs: 100, worker }),
    (error) => error instanceof Problem && error.code === 'invalid_input',
  )
})

test('damaged images are refused or decoded, and nothing else happens', () => {
  const originals = [pngOf(24, 18, (x, y) => [x * 10, y * 10, 99, (x * y) & 255]), jpegOf(24, 18)]
  const damage = fc.record({
    original: fc.constantFrom(...originals),
    changes: fc.array(fc.record({ at: fc.nat(), value: fc.nat(255) }), { minLength: 1, maxLength: 12 }),
    length: fc.double({ min: 0.2, max: 1, noNaN: true }),
  })
  let decoded = 0
  fc.assert(
    fc.property(damage, ({ original, changes, length }) => {
      const bytes = Buffer.from(original.subarray(0, Math.ceil(original.length * length)))
      for (const { at, value } of changes) bytes[at % bytes.length] = value
      const header = readImageHeader(bytes)
      if (header === null || 'other' in header || header.width * header.height > 1e6) return
      let result: ReturnType<typeof normalizeLogo>
      try {
        result = normalizeLogo(bytes, header)
      } catch {
        return
      }
      decoded += 1
      const { width, height } = PNG.sync.read(result.png)
      assert.ok(width > 0 && height > 0 && Math.max(width, height) <= 512)
    }),
    { numRuns: 400, seed: 15 },
  )
  assert.ok(decoded > 0)
})
