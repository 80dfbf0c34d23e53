import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CONTAINERS, type Container } from '../containers/container.ts'
import { sniffContainer } from '../containers/sniff-container.ts'
import { decodeAudio } from '../decode/decode.ts'
import { findFfmpeg } from '../decode/find-ffmpeg.ts'
import { A_LAW, type Law, MU_LAW, sampleOf } from '../decode/g711.ts'
import { DECODE_LIMITS, SAMPLE_RATE } from '../decode/limits.ts'
import { joinAudio } from '../join/join-audio.ts'
import { createSplit } from '../split/split.ts'
import { fixture, fixturePath, writeTemporary } from '../testing/fixtures.ts'
import { joined, newPath, part, written } from '../testing/parts.ts'

const { signal } = new AbortController()

async function decode(path: string, container: Container, skip = 0, ffmpeg: string | null = null) {
  const recording = { path, container, ffmpeg, limits: DECODE_LIMITS, signal, skip }
  const blocks = await Array.fromAsync(decodeAudio(recording))
  return Float32Array.from(blocks.flatMap((block) => [...block]))
}

/** In Hz, by its zero crossings. */
function pitchOf(samples: Float32Array): number {
  const middle = samples.subarray(samples.length / 4, (samples.length * 3) / 4)
  const crossings = middle.filter((sample, index) => sample >= 0 && (middle[index - 1] ?? 0) < 0).length
  return (crossings * SAMPLE_RATE) / middle.length
}

const ROWS: [name: string, container: 'aiff' | 'caf', seconds: number, joinedAs: Container][] = [
  ['tone.aiff', 'aiff', 0.5, 'wav'],
  ['tone.caf', 'caf', 0.5, 'wav'],
  ['aac.caf', 'caf', 1, 'mp4'],
]

for (const [name, container, seconds, joinedAs] of ROWS) {
  test(`${name} is detected, decoded without ffmpeg and joined`, async () => {
    assert.equal(sniffContainer(readFileSync(fixturePath(name))), container)
    const samples = await decode(fixturePath(name), container)
    assert.ok(Math.abs(samples.length / SAMPLE_RATE - seconds) < 0.03, `${samples.length / SAMPLE_RATE} s`)
    assert.ok(Math.abs(pitchOf(samples) - 440) < 10, `${pitchOf(samples)} Hz`)
    const later = await decode(fixturePath(name), container, SAMPLE_RATE / 4)
    assert.equal(later.length, samples.length - SAMPLE_RATE / 4)
    const { result } = await joined([part(name, container), part(name, container)])
    assert.equal(result.container, joinedAs)
    assert.equal(result.contentType, CONTAINERS[joinedAs].contentType)
    assert.deepEqual(result.skipped, [])
    assert.ok(Math.abs(result.durationMs - 2_000 * seconds) < 150, `${result.durationMs} ms`)
  })

  test(`${name} is sent to a speech server as WAV`, async () => {
    const limits = { maxBytes: 2 ** 20, maxSeconds: 60, from: 0, signal }
    for await (const sent of createSplit()(fixturePath(name), container, limits))
      assert.equal(sent.container, 'wav')
  })

  test(`${name} with a truncated end is decoded up to it`, async (t) => {
    const bytes = fixture(name)
    const path = writeTemporary(t, name, bytes.subarray(0, Math.floor(bytes.length * 0.8)))
    assert.ok((await decode(path, container)).length > 0.3 * SAMPLE_RATE)
  })
}

test('24-bit, 8-bit, float, little-endian and G.711 AIFF samples have the same sound', async (t) => {
  const tone = fixture('tone.aiff')
  const data = tone.indexOf('SSND') + 16
  const samples = Array.from({ length: 4_000 }, (_, n) => tone.readInt16BE(data + 2 * n) / 32_768)
  const expected = await decode(fixturePath('tone.aiff'), 'aiff')
  const kinds: [type: string, bits: number, write: (buffer: Buffer, value: number, at: number) => void][] = [
    ['NONE', 24, (buffer, value, at) => buffer.writeIntBE(Math.round(value * 8_388_607), at, 3)],
    ['NONE', 8, (buffer, value, at) => buffer.writeInt8(Math.round(value * 127), at)],
    ['fl32', 32, (buffer, value, at) => buffer.writeFloatBE(value, at)],
    ['sowt', 16, (buffer, value, at) => buffer.writeInt16LE(Math.round(value * 32_767), at)],
    ['ulaw', 8, (buffer, value, at) => buffer.writeUInt8(encoded(MU_LAW, value), at)],
    ['alaw', 8, (buffer, value, at) => buffer.writeUInt8(encoded(A_LAW, value), at)],
  ]
  for (const [type, bits, write] of kinds) {
    const content = Buffer.alloc((samples.length * bits) / 8)
    for (const [n, value] of samples.entries()) write(content, value, (n * bits) / 8)
    // The header of G.711 has the size of the decoded samples.
    const bytes = aifc(type, type.endsWith('law') ? 16 : bits, content)
    assert.equal(sniffContainer(bytes), 'aiff')
    const got = await decode(writeTemporary(t, 'tone', bytes), 'aiff')
    const difference = Math.max(...got.map((sample, n) => Math.abs(sample - (expected[n] ?? 0))))
    assert.ok(got.length === expected.length && difference < 0.02, `${type} ${bits}: ${difference}`)
    const { result } = await joined([written(bytes, 'aiff')])
    assert.equal(result.durationMs, 500)
  }
})

/** The nearest value that G.711 has. */
const encoded = (law: Law, value: number): number =>
  Array.from({ length: 256 }, (_, byte) => byte).reduce((best, byte) =>
    Math.abs(sampleOf(law, byte) - value) < Math.abs(sampleOf(law, best) - value) ? byte : best,
  )

test('G.711 in CAF has the sound of the original', async (t) => {
  const tone = fixture('tone.aiff')
  const data = tone.indexOf('SSND') + 16
  const samples = Array.from({ length: 4_000 }, (_, n) => tone.readInt16BE(data + 2 * n) / 32_768)
  const expected = await decode(fixturePath('tone.aiff'), 'aiff')
  for (const [codec, law] of [
    ['ulaw', MU_LAW],
    ['alaw', A_LAW],
  ] as const) {
    const bytes = caf(codec, Buffer.from(samples.map((value) => encoded(law, value))))
    const got = await decode(writeTemporary(t, 'tone', bytes), 'caf')
    const difference = Math.max(...got.map((sample, n) => Math.abs(sample - (expected[n] ?? 0))))
    assert.ok(got.length === expected.length && difference < 0.02, `${codec}: ${difference}`)
    const { result } = await joined([written(bytes, 'caf')])
    assert.equal(result.durationMs, 500)
  }
})

/** One channel of one byte at 8,000 Hz. */
function caf(codec: string, content: Buffer): Buffer {
  const chunk = (name: string, body: Buffer) => {
    const size = Buffer.alloc(8)
    size.writeBigInt64BE(BigInt(body.length))
    return Buffer.concat([Buffer.from(name), size, body])
  }
  const format = Buffer.alloc(32)
  format.writeDoubleBE(8_000, 0)
  format.write(codec, 8)
  for (const [at, value] of [
    [16, 1],
    [20, 1],
    [24, 1],
    [28, 8],
  ] as const)
    format.writeUInt32BE(value, at)
  const head = Buffer.from([0x63, 0x61, 0x66, 0x66, 0, 1, 0, 0])
  return Buffer.concat([
    head,
    chunk('desc', format),
    chunk('data', Buffer.concat([Buffer.alloc(4), content])),
  ])
}

function aifc(type: string, bits: number, content: Buffer): Buffer {
  const chunk = (name: string, body: Buffer) => {
    const size = Buffer.alloc(4)
    size.writeUInt32BE(body.length)
    return Buffer.concat([Buffer.from(name), size, body])
  }
  const common = Buffer.alloc(24)
  common.writeUInt16BE(1, 0)
  common.writeUInt32BE(4_000, 2)
  common.writeUInt16BE(bits, 6)
  // 8,000 as an 80-bit float.
  common.writeUInt16BE(0x400b, 8)
  common.writeUInt32BE(0xfa000000, 10)
  common.write(type, 18)
  const body = [
    Buffer.from('AIFC'),
    chunk('COMM', common),
    chunk('SSND', Buffer.concat([Buffer.alloc(8), content])),
  ]
  return chunk('FORM', Buffer.concat(body))
}

for (const [name, container] of [
  ['alac.caf', 'caf'],
  ['alac.m4a', 'mp4'],
] as const) {
  test(`ALAC in ${name} needs ffmpeg, to be decoded and to be joined`, async () => {
    assert.equal(sniffContainer(fixture(name)), container)
    const needsFfmpeg = { name: 'MediaFailure', code: 'needs_ffmpeg' }
    await assert.rejects(decode(fixturePath(name), container), { ...needsFfmpeg, message: /alac/ })
    await assert.rejects(joinAudio([part(name, container)], newPath(), signal, { ffmpeg: null }), needsFfmpeg)
  })

  test(`ALAC in ${name} is decoded with ffmpeg, and joined to Opus, which browsers play`, {
    skip: findFfmpeg() === null && 'needs ffmpeg',
  }, async () => {
    const samples = await decode(fixturePath(name), container, 0, findFfmpeg())
    assert.ok(Math.abs(samples.length / SAMPLE_RATE - 0.5) < 0.03)
    const { target, result, file } = await joined([part(name, container), part(name, container)])
    assert.equal(file.mimeType, 'audio/webm; codecs="opus"')
    assert.ok(Math.abs(result.durationMs - 1_000) < 60, `${result.durationMs} ms`)
    assert.ok(Math.abs(file.seconds - 1) < 0.06, `${file.seconds} s`)
    const pitch = pitchOf((await decode(target, 'webm')).subarray(0, 0.5 * SAMPLE_RATE))
    assert.ok(Math.abs(pitch - 440) < 10, `${pitch} Hz`)
  })
}
