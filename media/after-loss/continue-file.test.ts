import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import fc from '../../test/support/properties.ts'
import type { Container } from '../containers/container.ts'
import { decodeAudio } from '../decode/decode.ts'
import { DECODE_LIMITS, SAMPLE_RATE } from '../decode/limits.ts'
import { bytesOf } from '../join/file-spans.ts'
import type { JoinPart } from '../join/source-file.ts'
import { CHROMIUM_CUTS, clip, fixture, fixturePath } from '../testing/fixtures.ts'
import { joined, newPath, part, slices, written } from '../testing/parts.ts'
import { type Probed, probeFile } from '../testing/probe-file.ts'
import { continueFile } from './continue-file.ts'
import { withSerial } from './ogg-header.ts'

/** Joins the parts without the lost one, each where its own times say that it begins. */
async function joinWithout(parts: readonly JoinPart[], lost: number) {
  const kept = parts.filter((_, index) => index !== lost)
  const after = kept.slice(lost)
  const header = kept.find(({ continuation }) => !continuation) ?? null
  const continued = await continueFile(
    after.map(({ path }) => path),
    header,
  )
  assert.ok(continued && after[0])
  const startMs = continued.startMs ?? assert.fail('its time is unknown')
  after[0] = { ...after[0], afterLoss: true, startMs }
  return { startMs, ...(await joined([...kept.slice(0, lost), ...after])) }
}

const starts = ({ packets }: Probed) =>
  new Map(packets.map(({ data, timestamp }) => [data.toString('hex'), timestamp]))

for (const container of ['webm', 'mp4'] as const) {
  const name = `chromium.${container}`
  const parts = slices(fixture(name), CHROMIUM_CUTS[container], container)
  // The last one has nothing after it.
  const lost = [...parts.keys()].slice(0, -1)
  for (const index of lost)
    test(`without slice ${index} of ${name}, all other audio keeps its time`, async () => {
      const whole = await joined([part(name, container)])
      const known = starts(whole.file)
      const { file, result } = await joinWithout(parts, index)
      const alone = parts[index] as JoinPart
      if (index > 1) assert.deepEqual(result.skipped, [])
      let found = 0
      for (const [data, timestamp] of starts(file)) {
        const at = known.get(data)
        if (at === undefined) continue
        found++
        assert.ok(Math.abs(at - timestamp) < 0.04, `${at} s became ${timestamp} s`)
      }
      const lostPackets = known.size - found
      // A slice has one second (17 packets; the first MP4 slice with audio two), and packets are cut at both ends.
      const expected = (container === 'mp4' && index === 1 ? 34 : 17) + 2
      assert.ok(lostPackets <= expected, `${lostPackets} of ${known.size} packets of ${alone.path} are lost`)
      assert.ok(Math.abs(result.durationMs - whole.result.durationMs) <= 60, `${result.durationMs} ms`)
    })
}

test('a loss anywhere in a WebM stream costs the lost bytes and at most one packet at each end', async () => {
  const bytes = fixture('chromium.webm')
  const whole = await probeFile(fixturePath('chromium.webm'))
  const known = starts(whole)
  const range = fc.tuple(fc.integer({ min: 400, max: 10_000 }), fc.integer({ min: 1, max: 900 }))
  await fc.assert(
    fc.asyncProperty(range, async ([from, length]) => {
      const { file } = await joinWithout(slices(bytes, [from, from + length], 'webm'), 1)
      const found = [...starts(file).keys()].filter((data) => known.has(data))
      const lostBytes = [...known.keys()]
        .filter((data) => !found.includes(data))
        .reduce((sum, data) => sum + data.length / 2, 0)
      assert.ok(lostBytes <= length + 2 * 117, `${lostBytes} of ${length} bytes`)
    }),
    { numRuns: 5 },
  )
})

test('sound after a hole is decoded as it is without one, and the hole is silent', async () => {
  const parts = slices(fixture('chromium.webm'), CHROMIUM_CUTS.webm, 'webm')
  const whole = await samplesOf(fixturePath('chromium.webm'))
  const { target, startMs } = await joinWithout(parts, 3)
  const holed = await samplesOf(target)
  const at = (startMs / 1_000) * SAMPLE_RATE
  assert.ok(energy(holed.subarray(at - 0.6 * SAMPLE_RATE, at - 0.2 * SAMPLE_RATE)) < 1e-6)
  const [from, to] = [at + SAMPLE_RATE / 2, at + 2 * SAMPLE_RATE]
  const sound = energy(whole.subarray(from, to))
  assert.ok(sound > 1e-4, `${sound}`)
  const shifts = [-640, -320, -160, 0, 160, 320, 640]
  const likeness = shifts.map((shift) =>
    product(whole.subarray(from, to), holed.subarray(from + shift, to + shift)),
  )
  assert.equal(shifts[likeness.indexOf(Math.max(...likeness))], 0, likeness.join())
})

/** Decodes a recording in slices without a header, without the first slice. */
async function decodeWithoutStart(bytes: Buffer, cut: number, container: Container) {
  const rest = written(bytes.subarray(cut), container, true)
  const continued = await continueFile([rest.path], null)
  assert.equal(continued?.container, container)
  const path = newPath()
  await writeFile(path, bytesOf(continued))
  const samples = await samplesOf(path, container)
  return { startMs: continued.startMs, seconds: samples.length / SAMPLE_RATE, file: await readFile(path) }
}

test('an Ogg recording without its first slice keeps all other audio, at its time', async () => {
  const bytes = readFileSync(clip('ogg'))
  // Its pages have a second each; the cut is within the first.
  for (const cut of [3_179, 2_000]) {
    const { startMs, seconds, file } = await decodeWithoutStart(bytes, cut, 'ogg')
    assert.ok(Math.abs((startMs ?? 0) - 1_000) < 10, `${startMs} ms`)
    assert.ok(Math.abs(seconds - 2) < 0.02, `${seconds} s`)
    assert.equal(file[file.indexOf('OpusHead') + 9], 1, 'mono')
  }
})

test('an Ogg recording can take the header of another, which has another serial number', async () => {
  const bytes = readFileSync(clip('ogg'))
  const other = withSerial(fixture('tone.ogg'), 7)
  const parts = [written(bytes.subarray(3_179), 'ogg', true), written(other, 'ogg')]
  const { file } = await joined(parts)
  assert.ok(Math.abs(file.seconds - 3) < 0.05, `${file.seconds} s`)
})

test('packets of another codec than Opus get no Ogg header', async () => {
  const bytes = Buffer.from(readFileSync(clip('ogg')))
  // Vorbis counts samples of its own rate.
  for (const [n, at] of [3_179, 6_214].entries()) bytes.writeBigInt64LE(BigInt((n + 2) * 44_100), at + 6)
  assert.equal(await continueFile([written(bytes.subarray(121, 8_000), 'ogg', true).path], null), null)
})

for (const container of ['mp3', 'aac'] as const) {
  const bytes = readFileSync(clip(container))
  const third = Math.round(bytes.length / 3)
  const cuts = [third, 2 * third]

  test(`${container} frames after a missing slice are decoded, and the joined audio has the gap`, async () => {
    const whole = await samplesOf(clip(container), container)
    const parts = slices(bytes, cuts, container)
    const { seconds } = await decodeWithoutStart(bytes, 2 * third, container)
    assert.ok(Math.abs(seconds - 1) < 0.15, `${seconds} s`)
    const [first, , last] = parts as [JoinPart, JoinPart, JoinPart]
    const { file } = await joined([first, { ...last, afterLoss: true, startMs: 2_000 }])
    assert.ok(Math.abs(file.seconds - whole.length / SAMPLE_RATE) < 0.2, `${file.seconds} s`)
  })

  test(`${container} frames need no first slice`, async () => {
    const { startMs, seconds } = await decodeWithoutStart(bytes, third, container)
    assert.equal(startMs, null)
    assert.ok(Math.abs(seconds - 2) < 0.15, `${seconds} s`)
  })
}

/** An MP4 fragment of as many silent AAC frames as fit the seconds. */
function aacFragment(index: number, seconds: number, rate: number): Buffer {
  const frames = Math.ceil((seconds * rate) / 1_024)
  const box = (type: string, ...content: Buffer[]) => {
    const body = Buffer.concat(content)
    return Buffer.concat([numbers(8 + body.length), Buffer.from(type), body])
  }
  const silence = Buffer.from('00c800802380', 'hex')
  const tfhd = box('tfhd', numbers(0x02_0018, 1, 1_024, silence.length))
  const tfdt = box('tfdt', numbers(0, index * frames * 1_024))
  const moofBytes = 8 + 16 + 8 + tfhd.length + tfdt.length + 20
  const trun = box('trun', numbers(1, frames, moofBytes + 8))
  const moof = box('moof', box('mfhd', numbers(0, index + 1)), box('traf', tfhd, tfdt, trun))
  return Buffer.concat([moof, box('mdat', ...Array<Buffer>(frames).fill(silence))])
}
function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index)
  return bytes
}

for (const rate of [44_100, 48_000])
  for (const seconds of [0.5, 1, 2, 5])
    test(`AAC in MP4 at ${rate} Hz without its header keeps its pitch, in fragments of ${seconds} s`, async () => {
      const fragments = [1, 2, 3].map((index) => aacFragment(index, seconds, rate))
      const path = newPath()
      const rest = written(Buffer.concat(fragments), 'mp4', true)
      const continued = await continueFile([rest.path], null)
      assert.ok(continued)
      await writeFile(path, bytesOf(continued))
      const samples = await samplesOf(path, 'mp4')
      const fragmentMs = (Math.ceil((seconds * rate) / 1_024) * 1_024_000) / rate
      assert.ok(Math.abs((continued.startMs ?? 0) - fragmentMs) <= 1, `${continued.startMs} ms`)
      assert.ok(Math.abs((samples.length / SAMPLE_RATE) * 1_000 - 3 * fragmentMs) <= 30)
    })

test('bytes that are not audio have no restart point', async () => {
  const junk = slices(Buffer.from('<!doctype html><title>502</title>'.repeat(500)), [], 'webm')
  const path = junk[0]?.path as string
  assert.equal(await continueFile([path], null), null)
  assert.equal(await continueFile([path], part('chromium.webm', 'webm')), null)
  assert.equal(await continueFile([path], part('chromium.mp4', 'mp4')), null)
})

async function samplesOf(path: string, container: Container = 'webm'): Promise<Float32Array> {
  const { signal } = new AbortController()
  const decoded = await Array.fromAsync(
    decodeAudio({ path, container, ffmpeg: null, limits: DECODE_LIMITS, signal, skip: 0 }),
  )
  return Float32Array.from(decoded.flatMap((samples) => [...samples]))
}

const product = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, sample, index) => sum + sample * (other[index] ?? 0), 0)
const energy = (samples: Float32Array): number => product(samples, samples) / samples.length
