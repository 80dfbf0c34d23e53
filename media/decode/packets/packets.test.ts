import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from '../../../test/support/properties.ts'
import { clip, writeTemporary } from '../../testing/fixtures.ts'
import { streamOf } from '../audio-bytes.ts'
import { adtsPackets } from './adts-packets.ts'
import { oggOpusPackets } from './ogg-packets.ts'
import { opusSeconds } from './opus-packets.ts'
import { skipPackets } from './track-packets.ts'
import { webmPackets } from './webm-packets.ts'

const readers = {
  webm: (path: string) => Array.fromAsync(webmPackets(streamOf(path), 1)),
  ogg: (path: string) => Array.fromAsync(oggOpusPackets(streamOf(path))),
  aac: (path: string) => Array.fromAsync(adtsPackets(path)),
}

test('Ogg and WebM yield the packets that were written', async () => {
  const [webm, ogg] = [await readers.webm(clip('webm')), await readers.ogg(clip('ogg'))]
  assert.ok(webm.length > 140)
  assert.deepEqual(webm, ogg)
})

test('ADTS yields every frame, with other bytes before, between and after them', async (t) => {
  const bytes = readFileSync(clip('aac'))
  const frames = await readers.aac(clip('aac'))
  assert.deepEqual(Buffer.concat(frames), bytes)
  const junk = Buffer.from([0xff, 0xf1, 0x60, 0, 0xff, 0xff, 0xf1, 1, 2, 3])
  const path = writeTemporary(t, 'junk', Buffer.concat([junk, bytes, junk, bytes, junk]))
  const read = await readers.aac(path)
  // The last frame before other bytes is not recognised.
  assert.ok(read.length >= 2 * frames.length - 2 && read.length <= 2 * frames.length, `${read.length}`)
})

test('after damage, WebM continues with the next cluster', async (t) => {
  const bytes = readFileSync(clip('webm'))
  const cluster = bytes.indexOf(Buffer.from([0x1f, 0x43, 0xb6, 0x75]))
  const spoiled = Buffer.from(bytes)
  spoiled.fill(0, cluster + 2000, cluster + 2400)
  const path = writeTemporary(t, 'spoiled', Buffer.concat([spoiled, bytes.subarray(cluster)]))
  const [whole, read] = [await readers.webm(clip('webm')), await readers.webm(path)]
  assert.ok(read.length > whole.length + 20, `${read.length} packets`)
  assert.deepEqual(read.slice(-whole.length), whole)
})

test('WebM yields each frame of a laced block', async (t) => {
  const bytes = readFileSync(clip('webm'))
  const head = bytes.subarray(0, bytes.indexOf(Buffer.from([0x1f, 0x43, 0xb6, 0x75])))
  const frames = [300, 2, 40].map((length, index) => Buffer.alloc(length, index + 1))
  const open = Buffer.from('1f43b675ffe78100', 'hex')
  const laced = (flags: number, sizes: number[], content: Buffer[]) => {
    const body = Buffer.concat([Buffer.from([0x81, 0, 0, flags, content.length - 1, ...sizes]), ...content])
    return Buffer.concat([Buffer.from([0xa3, 0x40 | (body.length >> 8), body.length & 0xff]), body])
  }
  const same = [1, 2, 3].map((value) => Buffer.alloc(20, value))
  const path = writeTemporary(
    t,
    'laced',
    Buffer.concat([
      head,
      open,
      laced(0x82, [255, 45, 2], frames),
      laced(0x84, [], same),
      // 300, then 298 less: a difference of two bytes begins at -(2^13 - 1).
      laced(0x86, [0x41, 0x2c, 0x5e, 0xd5], frames),
      laced(0x82, [255, 255, 255, 255, 1, 1], frames),
    ]),
  )
  const read = (await readers.webm(path)).map((packet) => Buffer.from(packet))
  assert.deepEqual(read, [...frames, ...same, ...frames])
})

for (const container of ['webm', 'ogg', 'aac'] as const)
  test(`${container}: reading ends, however the bytes are damaged`, async (t) => {
    const bytes = readFileSync(clip(container))
    const damage = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(damage, fc.nat(bytes.length), async (changes, end) => {
        const damaged = Buffer.from(bytes)
        for (const [at, value] of changes) damaged[at] = value
        const packets = await readers[container](writeTemporary(t, 'damaged', damaged.subarray(0, end)))
        assert.ok(packets.length < 400)
      }),
      { numRuns: 60 },
    )
  })

test('reads the duration of an Opus packet from its first byte', () => {
  const packets: [bytes: number[], seconds: number][] = [
    [[0x00], 0.01],
    [[0x18], 0.06],
    [[0x58], 0.06],
    [[0x60], 0.01],
    [[0x78], 0.02],
    [[0x80], 0.0025],
    [[0xf8], 0.02],
    [[0xf9], 0.04],
    [[0xfa], 0.04],
    [[0xfb, 0x03], 0.06],
    [[0xfb, 0xc2], 0.04],
    [[], 0.01],
  ]
  for (const [bytes, seconds] of packets)
    assert.ok(Math.abs(opusSeconds(Uint8Array.from(bytes)) - seconds) < 1e-9, bytes.join())
})

test('skips packets that end before the limit, and yields all others', async () => {
  async function* packets() {
    for (let n = 0; n < 10; n++) yield Uint8Array.of(0xf8, n)
  }
  for (const [until, given] of [
    [-1, 10],
    [0.019, 10],
    [0.05, 8],
    [10, 0],
  ] as const) {
    const range = { until, skipped: 0 }
    const rest = await Array.fromAsync(skipPackets(packets(), range, opusSeconds))
    assert.equal(rest.length, given)
    assert.ok(Math.abs(range.skipped - (10 - given) * 0.02) < 1e-9)
  }
})
