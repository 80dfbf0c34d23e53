import assert from 'node:assert/strict'
import { access, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { A_LAW, type Law, MU_LAW } from '../decode/g711.ts'
import { MediaFailure, type MediaFailureCode } from '../failure.ts'
import { RATE, recordTone, temporaryFolder } from '../testing/fixtures.ts'
import type { AudioPart, SplitLimits } from './audio-part.ts'
import { createSplit, type DecodePcm } from './split.ts'
import { openWav, wavHeader, writeWav } from './wav.ts'

const limits = (more: Partial<SplitLimits> = {}): SplitLimits => ({
  maxBytes: 25_000_000,
  maxSeconds: 1_000,
  from: 0,
  signal: new AbortController().signal,
  ...more,
})
const split = createSplit()
const LIVE_WEBM = fileURLToPath(new URL('../testing/live.webm', import.meta.url))

async function samplesOf(path: string): Promise<number[]> {
  const all: number[] = []
  for await (const block of (await openWav(path)).samples) all.push(...block)
  return all
}

/** Each part with its content, since its file is deleted later. */
async function partsOf(
  parts: AsyncIterable<AudioPart>,
): Promise<(AudioPart & { samples: number[]; bytes: number })[]> {
  const all = []
  for await (const part of parts)
    all.push({ ...part, samples: await samplesOf(part.path), bytes: (await stat(part.path)).size })
  return all
}

test('a recording within the limits is yielded unchanged', async (t) => {
  const path = await recordTone(t, 3)
  const parts = await partsOf(split(path, 'wav', limits()))
  assert.deepEqual(
    parts.map(({ path: at, start, end }) => ({ at, start, end })),
    [{ at: path, start: 0, end: 3 }],
  )
})

test('finds the duration of a browser recording, which has none in its header', async () => {
  const [part] = await Array.fromAsync(split(LIVE_WEBM, 'webm', limits()))
  assert.equal(part?.path, LIVE_WEBM)
  assert.ok((part?.end ?? 0) > 0.5)
})

test('splits a long recording at its pauses, without losing or repeating a sample', async (t) => {
  const path = await recordTone(t, 30, [8.5, 17, 26])
  const parts = await partsOf(split(path, 'wav', limits({ maxSeconds: 10 })))
  const splits = parts.slice(1).map(({ start }) => start)
  for (const [index, pause] of [8.5, 17, 26].entries()) {
    const at = splits[index] ?? 0
    assert.ok(at > pause && at < pause + 0.5, `split at ${at}, pause at ${pause}`)
  }
  assert.equal(parts.at(-1)?.end, 30)
  assert.deepEqual(
    parts.flatMap(({ samples }) => samples),
    await samplesOf(path),
  )
  for (const [index, part] of parts.slice(1).entries()) assert.equal(part.start, parts[index]?.end)
})

test('parts stay within the size limit', async (t) => {
  const path = await recordTone(t, 20)
  const parts = await partsOf(split(path, 'wav', limits({ maxBytes: 100_000 })))
  assert.ok(parts.length >= 7)
  for (const { bytes } of parts) assert.ok(bytes <= 100_000, String(bytes))
  assert.equal(parts.at(-1)?.end, 20)
})

test('leaves out audio before `from`, and ends where the recording ends', async (t) => {
  const path = await recordTone(t, 20)
  const parts = await partsOf(split(path, 'wav', limits({ from: 15 })))
  assert.deepEqual(
    parts.map(({ start, end }) => [start, end]),
    [[15, 20]],
  )
  assert.equal(parts[0]?.samples.length, 5 * RATE)
  const nothing = await partsOf(split(path, 'wav', limits({ from: 25 })))
  assert.deepEqual(
    nothing.map(({ start, end }) => [start, end]),
    [[25, 25]],
    'nothing before `from`',
  )
})

test('deletes the file of a part when the next is requested, at the end, or when the loop is left', async (t) => {
  const path = await recordTone(t, 20)
  const seen: string[] = []
  for await (const part of split(path, 'wav', limits({ maxSeconds: 5 }))) {
    assert.equal((await stat(part.path)).mode & 0o077, 0, 'private')
    seen.push(part.path)
    if (seen.length === 2) break
  }
  for (const one of seen) await assert.rejects(access(one))
})

test('other containers are decoded if they must be split', async () => {
  const decode: DecodePcm = async (_path, _container, _signal, from) => ({
    rate: 8_000,
    samples: (async function* () {
      for (let second = from; second < 12; second++) yield new Float32Array(8_000).fill(2)
    })(),
  })
  const parts = await partsOf(createSplit(decode)(LIVE_WEBM, 'webm', limits({ maxSeconds: 0.5 })))
  assert.ok(parts.length > 1)
  const long = await partsOf(createSplit(decode)(LIVE_WEBM, 'webm', limits({ from: 2 })))
  assert.deepEqual(
    long.map(({ start, end, container }) => [start, end, container]),
    [[2, 12, 'wav']],
  )
  assert.ok(
    long[0]?.samples.every((sample) => sample > 0.99),
    'samples out of range are clipped',
  )
})

const failing =
  (code: MediaFailureCode): DecodePcm =>
  () =>
    Promise.reject(new MediaFailure(code, 'as the test says'))

test('a recording that cannot be decoded is yielded whole if its size allows, else it is unreadable', async () => {
  const split = createSplit(failing('needs_ffmpeg'))
  const [whole] = await Array.fromAsync(split(LIVE_WEBM, 'webm', limits({ maxSeconds: 0.1 })))
  assert.equal(whole?.path, LIVE_WEBM)
  await assert.rejects(Array.fromAsync(split(LIVE_WEBM, 'webm', limits({ maxBytes: 100 }))), {
    code: 'needs_ffmpeg',
  })
})

test('a recording whose decoder was killed is not yielded whole: the server would reject its length', async () => {
  for (const code of ['interrupted', 'unavailable'] as const)
    await assert.rejects(
      Array.fromAsync(createSplit(failing(code))(LIVE_WEBM, 'webm', limits({ maxSeconds: 0.1 }))),
      { code },
    )
})

test('other containers are decoded by this package', async () => {
  const parts = await partsOf(split(LIVE_WEBM, 'webm', limits({ maxSeconds: 1 })))
  assert.ok(parts.length > 2)
  assert.ok(Math.abs((parts.at(-1)?.end ?? 0) - 3) < 0.1, String(parts.at(-1)?.end))
  await assert.rejects(Array.fromAsync(split(LIVE_WEBM, 'flac', limits({ maxBytes: 100 }))), {
    code: 'unreadable',
  })
})

test('bytes that are not audio are unreadable', async (t) => {
  const path = join(temporaryFolder(t), 'noise')
  for (const bytes of ['', 'RIFF', 'RIFF....WAVEfmt ', 'RIFFxxxxWAVEdata\0\0\0\0', 'x'.repeat(5_000)]) {
    await writeFile(path, bytes)
    for (const container of ['wav', 'webm'] as const)
      await assert.rejects(
        Array.fromAsync(split(path, container, limits())),
        { code: 'unreadable' },
        `${container} ${bytes}`,
      )
  }
})

/** Two channels, the second one silent, in any sample format of WAV. */
function stereoWav(
  samples: readonly number[],
  width: number,
  isFloat: boolean,
  isExtensible: boolean,
): Buffer {
  const kind = isFloat ? 3 : 1
  const format = Buffer.alloc(isExtensible ? 40 : 16)
  format.writeUInt16LE(isExtensible ? 0xfffe : kind, 0)
  format.writeUInt16LE(2, 2)
  format.writeUInt32LE(RATE, 4)
  format.writeUInt16LE(8 * width, 14)
  if (isExtensible) format.writeUInt16LE(kind, 24)
  const data = Buffer.alloc(samples.length * 2 * width, width === 1 ? 128 : 0)
  for (const [index, sample] of samples.entries()) write(data, sample, index * 2 * width, width, isFloat)
  const chunk = (name: string, bytes: Buffer) => {
    const size = Buffer.alloc(4)
    size.writeUInt32LE(bytes.length)
    return Buffer.concat([Buffer.from(name), size, bytes, Buffer.alloc(bytes.length % 2)])
  }
  const chunks = [chunk('LIST', Buffer.from('odd')), chunk('fmt ', format), chunk('data', data)]
  return Buffer.concat([Buffer.from('RIFF....WAVE'), ...chunks])
}

function write(data: Buffer, sample: number, at: number, width: number, isFloat: boolean): void {
  if (isFloat && width === 4) data.writeFloatLE(sample, at)
  else if (isFloat) data.writeDoubleLE(sample, at)
  else if (width === 1) data.writeUInt8(128 + Math.round(sample * 127), at)
  else data.writeIntLE(Math.round(sample * (2 ** (8 * width - 1) - 1)), at, width)
}

test('reads WAV of every width, with several channels, and with floats', async (t) => {
  const path = join(temporaryFolder(t), 'some.wav')
  const samples = [0, 0.5, -0.5, 1, -1, 0.25, 0.125]
  for (const [width, isFloat] of [
    ...[1, 2, 3, 4].map((n) => [n, false] as const),
    ...[4, 8].map((n) => [n, true] as const),
  ])
    for (const isExtensible of [false, true]) {
      await writeFile(path, stereoWav(samples, width, isFloat, isExtensible))
      assert.equal((await openWav(path)).duration, samples.length / RATE)
      for (const [index, sample] of (await samplesOf(path)).entries())
        assert.ok(
          Math.abs(sample - (samples[index] ?? 0) / 2) < 0.01,
          `${width} bytes, ${isFloat}: ${sample}`,
        )
    }
})

test('reads a WAV without a size in its header to its end', async (t) => {
  const path = await recordTone(t, 2)
  const bytes = await readFile(path)
  bytes.writeUInt32LE(0, 40)
  await writeFile(path, bytes)
  assert.equal((await openWav(path)).duration, 2)
  bytes.writeUInt32LE(0xffffffff, 40)
  await writeFile(path, bytes)
  assert.equal((await openWav(path)).duration, 2)
})

test('a header with an impossible rate, channel count or length is unreadable', async (t) => {
  const path = await recordTone(t, 1)
  const bytes = await readFile(path)
  const lies: [value: number, at: number][] = [
    [1, 24],
    [0, 24],
    [4_000_000_000, 24],
    [0, 22],
    [60_000, 22],
    [7, 34],
  ]
  for (const [value, at] of lies) {
    const lying = Buffer.from(bytes)
    if (at === 24) lying.writeUInt32LE(value, at)
    else lying.writeUInt16LE(value, at)
    await writeFile(path, lying)
    await assert.rejects(
      Array.fromAsync(split(path, 'wav', limits())),
      { code: 'unreadable' },
      `${value} at ${at}`,
    )
  }
  bytes.writeUInt32LE(4_000, 24)
  await writeFile(path, Buffer.concat([bytes.fill(0xff, 40, 44), Buffer.alloc(6 * 3_600 * 8_000)]))
  await assert.rejects(Array.fromAsync(split(path, 'wav', limits())), { code: 'unreadable' })
})

test('an empty WAV has no duration and no samples', async (t) => {
  const path = join(temporaryFolder(t), 'empty.wav')
  await writeWav(path, new Int16Array(0), RATE)
  const [part] = await partsOf(split(path, 'wav', limits()))
  assert.deepEqual([part?.end, part?.samples], [0, []])
})

test('reads telephone recordings (G.711)', async (t) => {
  const path = join(temporaryFolder(t), 'call.wav')
  const rows: [law: Law, encoded: number[], samples: number[]][] = [
    [A_LAW, [0xd5, 0x55, 0xaa, 0x2a], [8, -8, 32_256, -32_256]],
    [MU_LAW, [0xff, 0x7f, 0x80, 0x00], [0, 0, 32_124, -32_124]],
  ]
  for (const [law, encoded, samples] of rows) {
    const header = wavHeader(encoded.length, { channels: 1, rate: 8_000, bytes: 1, isFloat: false, law })
    await writeFile(path, Buffer.concat([header, Buffer.from(encoded)]))
    const read = await Array.fromAsync((await openWav(path)).samples)
    assert.deepEqual(
      read.flatMap((block) => [...block].map((one) => one * 32_768 || 0)),
      samples,
    )
  }
})
