import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { test } from 'node:test'
import fc from '../../test/support/properties.ts'
import type { Container } from '../containers/container.ts'
import { sniffContainer } from '../containers/sniff-container.ts'
import { decodeFile } from '../decode/decode-file.ts'
import { SAMPLE_RATE } from '../decode/limits.ts'
import { clip, fixture, fixturePath } from '../testing/fixtures.ts'
import { joined, newPath, part, slices, wav, written } from '../testing/parts.ts'
import { type Probed, probeFile } from '../testing/probe-file.ts'
import { joinAudio } from './join-audio.ts'
import type { JoinPart } from './source-file.ts'

const pair = (container: Container, first: string, second = first): JoinPart[] => [
  part(first, container),
  part(second, container),
]

const rows: [what: string, parts: JoinPart[], container: Container, contentType: string, ms: number][] = [
  ['WebM', pair('webm', 'one.webm', 'two.webm'), 'webm', 'audio/webm', 2_040],
  ['Ogg', pair('ogg', 'tone.ogg'), 'webm', 'audio/webm', 2_040],
  [
    'WebM and Ogg with Opus',
    [part('one.webm', 'webm'), part('tone.ogg', 'ogg')],
    'webm',
    'audio/webm',
    2_040,
  ],
  ['MP4, whole and in fragments', pair('mp4', 'tone.mp4', 'fragmented.mp4'), 'mp4', 'audio/mp4', 2_067],
  ['AAC', pair('aac', 'tone.aac'), 'mp4', 'audio/mp4', 2_090],
  ['MP3, with a tag and without', pair('mp3', 'tone.mp3', 'bare.mp3'), 'mp3', 'audio/mpeg', 2_090],
  ['FLAC', pair('flac', 'tone.flac'), 'mp4', 'audio/mp4', 2_000],
  ['WAV', [wav(1), wav(0.5)], 'wav', 'audio/wav', 1_500],
  ['one part', [part('live.webm', 'webm')], 'webm', 'audio/webm', 3_020],
]

for (const [what, parts, container, contentType, ms] of rows) {
  test(`${what}: copies packets into one seekable file with a duration`, async () => {
    const { target, result, file } = await joined(parts)
    assert.equal(result.container, container)
    assert.equal(result.contentType, contentType)
    assert.ok(Math.abs(result.durationMs - ms) <= 1, `${result.durationMs} ms`)
    assert.deepEqual(result.skipped, [])
    assert.equal(sniffContainer(await readStart(target)), container)
    assert.equal(result.bytes, (await stat(target)).size)
    // One packet: WebM does not say how long its last one sounds, and MP3's index is a frame itself.
    assert.ok(Math.abs((file.headerSeconds ?? 0) * 1_000 - ms) <= 27, `${file.headerSeconds} s`)
    assert.ok(Math.abs((file.middle ?? 0) - file.seconds / 2) <= 0.26)
  })
}

/** A recording with one cluster that states its size, as ffmpeg writes it. */
function inOneCluster(bytes: Buffer): { bytes: Buffer; blocks: number[] } {
  const first = bytes.indexOf(CLUSTER)
  const blocks: Buffer[] = []
  for (let at = bytes.indexOf(0xa3, first); blocks.length < 100; ) {
    const length =
      (bytes[at + 1] ?? 0) >= 0x80 ? (bytes[at + 1] ?? 0) - 0x80 + 2 : bytes.readUInt16BE(at + 1) - 0x4000 + 3
    if (bytes[at] !== 0xa3) break
    const block = Buffer.from(bytes.subarray(at, at + length))
    block.writeInt16BE(blocks.length * 20, length < 129 ? 3 : 4)
    blocks.push(block)
    at += length
  }
  const content = Buffer.concat([Buffer.from([0xe7, 0x81, 0]), ...blocks])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(0x1000_0000 + content.length)
  const head = Buffer.concat([bytes.subarray(0, first), CLUSTER, size])
  const edges = blocks.map((_, index) => head.length + 3 + Buffer.concat(blocks.slice(0, index)).length)
  return { bytes: Buffer.concat([head, content]), blocks: edges }
}
const CLUSTER = Buffer.from([0x1f, 0x43, 0xb6, 0x75])

test('a WebM recording that ends within a cluster keeps its audio', async () => {
  const { bytes, blocks } = inOneCluster(fixture('one.webm'))
  assert.ok(blocks.length > 20, `${blocks.length} blocks`)
  // Within a block.
  const { file, result } = await joined([written(bytes.subarray(0, (blocks[20] ?? 0) + 20), 'webm')])
  assert.equal(file.packets.length, 20)
  assert.equal(result.durationMs, 400)
})

test('slices of one WebM cluster of known size keep their audio around a missing one', async () => {
  const { bytes, blocks } = inOneCluster(fixture('one.webm'))
  const [first, , last] = slices(bytes, [blocks[10] ?? 0, blocks[20] ?? 0], 'webm') as [
    JoinPart,
    JoinPart,
    JoinPart,
  ]
  const { file } = await joined([first, { ...last, afterLoss: true, startMs: 400 }])
  const whole = await joined([written(bytes, 'webm')])
  const expected = dataOf(whole.file)
  const silence = Buffer.from([0xf8, 0xff, 0xfe])
  assert.deepEqual(
    dataOf(file),
    expected.map((data, index) => (index < 10 || index >= 20 ? data : silence)),
  )
})

test('the joined file keeps an Ogg page that is cut before a missing slice, like the text', async () => {
  // Its pages have a second each: the first slice ends within the second page, and the third page follows the missing slice.
  const [first, , last] = slices(readFileSync(clip('ogg')), [6_000, 6_214], 'ogg') as [
    JoinPart,
    JoinPart,
    JoinPart,
  ]
  let samples = 0
  for await (const block of decodeFile('ogg', first.path, 0)) samples += block.length
  const { result } = await joined([first, { ...last, afterLoss: true, startMs: 2_000 }])
  const transcribedMs = (samples / SAMPLE_RATE) * 1_000
  const [before] = result.placed
  assert.ok(
    Math.abs((before?.durationMs ?? 0) - transcribedMs) <= 100,
    `${before?.durationMs} of ${transcribedMs} ms`,
  )
})

test('the joined file has the packets of its parts, without gaps', async () => {
  const { file } = await joined(pair('webm', 'one.webm', 'two.webm'))
  const [one, two] = [await probeFile(fixturePath('one.webm')), await probeFile(fixturePath('two.webm'))]
  assert.deepEqual(dataOf(file), [...dataOf(one), ...dataOf(two)])
  for (const [index, { timestamp }] of file.packets.entries())
    assert.ok(Math.abs(timestamp - index * 0.02) <= 0.001, `${timestamp}`)
})

test('reports where each file begins', async () => {
  const parts = [part('one.webm', 'webm'), ...slices(fixture('live.webm'), [1_000], 'webm')]
  const { result } = await joined([...parts, part('two.webm', 'webm')])
  assert.deepEqual(result.placed, [
    { part: 0, startMs: 0, durationMs: 1_020 },
    { part: 1, startMs: 1_020, durationMs: 3_020 },
    { part: 3, startMs: 4_040, durationMs: 1_020 },
  ])
})

for (const [name, container] of [
  ['live.webm', 'webm'],
  ['fragmented.mp4', 'mp4'],
] as const) {
  test(`${name} sent in parts of any size is joined to the same audio`, async () => {
    const whole = await joined([part(name, container)])
    const bytes = fixture(name)
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 9 })
    await fc.assert(
      fc.asyncProperty(cuts, async (at) => {
        const { result, file } = await joined(slices(bytes, at, container))
        assert.deepEqual(dataOf(file), dataOf(whole.file))
        assert.equal(result.durationMs, whole.result.durationMs)
      }),
      { numRuns: 8 },
    )
  })
}

for (const [name, container, ms] of [
  // No multiple of a packet: without placing, 200 files would drift by 0.3 and 1.4 s.
  ['tone.mp4', 'mp4', 1_000],
  ['one.webm', 'webm', 1_013],
] as const) {
  test(`200 files like ${name} begin where the transcript says, to half a packet`, async () => {
    const parts = Array.from({ length: 200 }, (_, n) => ({ ...part(name, container), startMs: n * ms }))
    const { result } = await joined(parts)
    for (const { part: number, startMs } of result.placed)
      assert.ok(Math.abs(startMs - number * ms) <= 12, `part ${number} begins at ${startMs} ms`)
  })
}

test('200 restarted MP4 files sound as long as the joined file says', async () => {
  // A player decodes the last packet of each file whole, although the file cuts it to its length.
  const parts = Array.from({ length: 200 }, (_, n) => ({ ...part('tone.mp4', 'mp4'), startMs: n * 1_012 }))
  const { result, target } = await joined(parts)
  let samples = 0
  for await (const block of decodeFile(result.container, target, 0)) samples += block.length
  const decodedMs = (samples / SAMPLE_RATE) * 1_000
  assert.ok(Math.abs(decodedMs - result.durationMs) <= 25, `${decodedMs} of ${result.durationMs} ms`)
})

test('silence fills the time before a file that begins later, and is decoded', async () => {
  for (const [name, container] of [
    ['one.webm', 'webm'],
    ['tone.mp4', 'mp4'],
    ['bare.mp3', 'mp3'],
    ['tone.flac', 'flac'],
    ['tone.aac', 'aac'],
  ] as const) {
    const { result, file, target } = await joined([
      part(name, container),
      { ...part(name, container), startMs: 5_000 },
    ])
    assert.ok(
      Math.abs((result.placed[1]?.startMs ?? 0) - 5_000) <= 14,
      `${name}: ${result.placed[1]?.startMs} ms`,
    )
    assert.ok(Math.abs(file.seconds - 6) < 0.1, `${name}: ${file.seconds} s`)
    // FLAC has no silent packet: its time jumps.
    if (container === 'flac') continue
    const samples = (await Array.fromAsync(decodeFile(result.container, target, 0))).flatMap((block) => [
      ...block,
    ])
    const loudest = (from: number, to: number) =>
      samples
        .slice(from * SAMPLE_RATE, to * SAMPLE_RATE)
        .reduce((max, one) => Math.max(max, Math.abs(one)), 0)
    assert.ok(
      loudest(1.5, 4.5) < 0.001 && loudest(5.2, 5.8) > 0.1,
      `${name}: ${loudest(1.5, 4.5)}, ${loudest(5.2, 5.8)}`,
    )
  }
})

test('a file that claims to begin days later does not fill the disk with silence', async () => {
  const parts = [part('one.webm', 'webm'), { ...part('one.webm', 'webm'), startMs: 1e9 }]
  const { durationMs } = await joinAudio(parts, newPath(), new AbortController().signal)
  assert.ok(durationMs < 7 * 3_600_000)
})

const dataOf = ({ packets }: Probed) => packets.map(({ data }) => data)

async function readStart(path: string): Promise<Uint8Array> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(new Uint8Array(8_192))
  return buffer.subarray(0, bytesRead)
}
