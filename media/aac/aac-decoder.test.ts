import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { EncodedPacketSink, FilePathSource, Input, MP4 } from 'mediabunny'
import fc from '../../test/support/properties.ts'
import type { PacketDecoder } from '../decode/packets/packet-decoder.ts'
import { readTrack } from '../decode/read-track.ts'
import { concatSamples } from '../decode/resample.ts'
import { openAacDecoder, openAdtsDecoder } from './aac-decoder.ts'

const fixture = (name: string): string => join(import.meta.dirname, 'testing', name)
const FRAME = 1_024

/**
 * Stereo with long and short windows of both shapes and their transitions, noise shaping, mid/side and intensity stereo of both signs.
 */
const EVERY_TOOL = fixture('every-tool.m4a')

interface Stream {
  description: Uint8Array
  packets: Uint8Array[]
}

async function streamOf(path: string): Promise<Stream> {
  const input = new Input({ formats: [MP4], source: new FilePathSource(path) })
  const track = await input.getPrimaryAudioTrack()
  const config = await track?.getDecoderConfig()
  assert.ok(track && config?.description instanceof Uint8Array)
  const packets = await Array.fromAsync(new EncodedPacketSink(track).packets())
  return { description: config.description, packets: packets.map(({ data }) => data) }
}

const stream = await streamOf(EVERY_TOOL)

function open(description = stream.description): PacketDecoder {
  const decoder = openAacDecoder(description)
  assert.ok(decoder)
  return decoder
}

async function decode(packets: Uint8Array[], decoder = open()): Promise<Float32Array> {
  const { channelData, samplesDecoded } = await decoder.decodeFrames(packets)
  const [samples] = channelData
  assert.ok(samples?.length === samplesDecoded)
  return samples
}

test('decodes to the same 16-bit samples as another decoder', async () => {
  const range = { until: 0, skipped: 0 }
  const blocks = await Array.fromAsync(readTrack('flac', fixture('every-tool.flac'), range))
  const expected = concatSamples(...blocks.map(({ channelData }) => channelData[0] as Float32Array))
  // The other decoder drops the encoder delay.
  const samples = (await decode(stream.packets)).subarray(FRAME)
  assert.ok(expected.length > 60_000 && samples.length === expected.length)
  const worst = expected.reduce(
    (most, value, n) => Math.max(most, Math.abs(value - (samples[n] as number))),
    0,
  )
  assert.ok(worst < 1.5 / 32_768, `${worst}`)
})

test('decodes batches of packets as it decodes all packets together', async () => {
  const decoder = open()
  const blocks: Float32Array[] = []
  for (const packet of stream.packets) blocks.push(await decode([packet], decoder))
  assert.deepEqual(concatSamples(...blocks), await decode(stream.packets))
})

test('a missing or damaged packet becomes silence of the same length, once another follows', async () => {
  const decoder = open()
  const frames = async (...packets: Uint8Array[]) => (await decode(packets, decoder)).length / FRAME
  const [one, two] = stream.packets as [Uint8Array, Uint8Array]
  const nothing = new Uint8Array()
  assert.equal(await frames(nothing, nothing), 0)
  assert.equal(await frames(one), 3)
  assert.equal(await frames(two.subarray(0, 5), nothing), 0)
  assert.equal(await frames(two), 3)
  assert.equal((await decoder.decodeFrames([nothing, two])).errors?.length, 1)
})

test('audio before a damaged packet does not leak into the audio after it', async () => {
  const loud = stream.packets.slice(0, 30)
  const silent = bytesOf(`001 0000 0 ${'00000000 0 00 0 000000 0 000'.repeat(2)} 111`)
  const samples = await decode([...loud, new Uint8Array(), silent])
  const [lost, after] = [samples.subarray(-2 * FRAME, -FRAME), samples.subarray(-FRAME)]
  assert.ok(lost.some((value) => value !== 0))
  assert.ok(after.every((value) => value === 0))
})

test('any bytes decode to finite samples, or to none', async () => {
  const packet = fc.constantFrom(...stream.packets)
  const change = fc.record({ at: fc.nat({ max: 400 }), to: fc.nat({ max: 255 }) })
  const damaged = fc
    .tuple(packet, fc.array(change, { minLength: 1, maxLength: 4 }))
    .map(([bytes, changes]) => {
      const copy = Uint8Array.from(bytes)
      for (const { at, to } of changes) copy[at % copy.length] = to
      return copy
    })
  const any = fc.oneof(damaged, damaged, fc.uint8Array({ maxLength: 300 }))
  await fc.assert(
    fc.asyncProperty(fc.array(any, { minLength: 1, maxLength: 5 }), async (packets) => {
      const samples = await decode([...packets, stream.packets[1] as Uint8Array])
      assert.ok(samples.length >= FRAME && samples.every(Number.isFinite))
    }),
    { numRuns: 400 },
  )
})

const bytesOf = (bits: string): Uint8Array =>
  Uint8Array.from(bits.replaceAll(' ', '').match(/.{1,8}/g) ?? [], (byte) =>
    Number.parseInt(byte.padEnd(8, '0'), 2),
  )

test('samples that overflow count as damage', async () => {
  const single = '000 0000'
  const [gain, layout] = ['11111111', '0 00 0 101101 0']
  const bandsOfBook11 = `1011 11111 01110 ${'0'.repeat(45)}`
  const filter = `0 1 01 1 111111 01100 0 0 ${'1000'.repeat(12)} 0`
  // The codeword of two escapes, their signs, and the largest values.
  const pair = `000000000 00 ${'111111110111111111111'.repeat(2)}`
  const frame = [single, gain, layout, bandsOfBook11, filter, pair.repeat(416), '111'].join('')
  const { samplesDecoded, errors } = await open().decodeFrames([bytesOf(frame)])
  assert.deepEqual([samplesDecoded, errors?.length], [0, 1])
})

test('a frame with too many channels counts as damage', async () => {
  const silent = '000 0000 00000000 0 00 0 000000 0 000'
  const channels = async (count: number) =>
    (await open().decodeFrames([bytesOf(`${silent.repeat(count)} 111`)])).samplesDecoded
  assert.equal(await channels(32), FRAME)
  assert.equal(await channels(33), 0)
})

const DESCRIPTIONS: [what: string, bits: string, rate: number | null][] = [
  ['low complexity at 44.1 kHz', '00010 0100 0010 000', 44_100],
  ['low complexity at 16 kHz', '00010 1000 0001 000', 16_000],
  ['an explicit rate', '00010 1111 000000000011111001111111 0001 000', 15_999],
  ['a core of 24 kHz with SBR', '00101 0110 0001 0011 00010 000', 24_000],
  ['a core with parametric stereo', '11101 0110 0001 0011 00010 000', 24_000],
  ['frames of 960', '00010 0100 0010 100', null],
  ['the main profile', '00001 0100 0010 000', null],
  ['low delay', '10111 0100 0010 000', null],
  ['a type above 31', '11111 000000 0100 0010 000', null],
  ['a reserved rate', '00010 1101 0010 000', null],
]

for (const [what, bits, rate] of DESCRIPTIONS)
  test(`${what} is ${rate === null ? 'not supported' : 'decoded'}`, async () => {
    const decoder = openAacDecoder(bytesOf(bits.padEnd(64, '0')))
    if (rate === null) return assert.equal(decoder, null)
    assert.equal((await decoder?.decodeFrames([]))?.sampleRate, rate)
  })

test('a truncated description is not supported', () => {
  assert.equal(openAacDecoder(Uint8Array.of(0x12)), null)
})

/** The ADTS header of a packet at 44.1 kHz, stereo. With a checksum it is two bytes longer. */
function withHead(packet: Uint8Array, hasChecksum: boolean): Uint8Array {
  const length = packet.length + (hasChecksum ? 9 : 7)
  const head = [
    0xff,
    hasChecksum ? 0xf0 : 0xf1,
    0x50,
    0x80 | (length >> 11),
    (length >> 3) & 0xff,
    ((length & 7) << 5) | 0x1f,
    0xfc,
  ]
  return Uint8Array.from([...head, ...(hasChecksum ? [0, 0] : []), ...packet])
}

function openAdts(): PacketDecoder {
  const decoder = openAdtsDecoder('mp4a.40.2')
  assert.ok(decoder)
  return decoder
}

test('packets with ADTS headers decode as those of a described stream', async () => {
  const expected = await decode(stream.packets)
  for (const hasChecksum of [false, true]) {
    const packets = stream.packets.map((packet) => withHead(packet, hasChecksum))
    assert.deepEqual(await decode(packets, openAdts()), expected)
  }
})

test('packets without ADTS headers decode to nothing', async () => {
  assert.equal((await decode(stream.packets.slice(0, 5), openAdts())).length, 0)
})

test('packets of another profile are not supported', () => {
  assert.equal(openAdtsDecoder('mp4a.40.1'), null)
})
