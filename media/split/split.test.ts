import assert from 'node:assert/strict'
import { access, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { EngineFailure } from '../../server/engines/engine-failure.ts'
import { RATE, recordTone, temporaryFolder } from '../testing/recording.ts'
import { createSplit, type DecodePcm, type Piece, type SplitLimits } from './split.ts'
import { openWav, writeWav } from './wav.ts'

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
  for await (const part of (await openWav(path)).samples) all.push(...part)
  return all
}

/** Each piece with its bytes, which are gone later. */
async function piecesOf(
  pieces: AsyncIterable<Piece>,
): Promise<(Piece & { samples: number[]; bytes: number })[]> {
  const all = []
  for await (const piece of pieces)
    all.push({ ...piece, samples: await samplesOf(piece.path), bytes: (await stat(piece.path)).size })
  return all
}

test('what fits comes as it is', async (t) => {
  const path = await recordTone(t, 3)
  const pieces = await piecesOf(split(path, 'wav', limits()))
  assert.deepEqual(
    pieces.map(({ path: at, start, end }) => ({ at, start, end })),
    [{ at: path, start: 0, end: 3 }],
  )
})

test('the duration of a recording of a browser, which has none in its head, is found', async () => {
  const [piece] = await Array.fromAsync(split(LIVE_WEBM, 'webm', limits()))
  assert.equal(piece?.path, LIVE_WEBM)
  assert.ok((piece?.end ?? 0) > 0.5)
})

test('a long recording is cut in its pauses, and no sample is lost or heard twice', async (t) => {
  const path = await recordTone(t, 30, [8.5, 17, 26])
  const pieces = await piecesOf(split(path, 'wav', limits({ maxSeconds: 10 })))
  const cuts = pieces.slice(1).map(({ start }) => start)
  for (const [index, pause] of [8.5, 17, 26].entries()) {
    const cut = cuts[index] ?? 0
    assert.ok(cut > pause && cut < pause + 0.5, `cut at ${cut}, pause at ${pause}`)
  }
  assert.equal(pieces.at(-1)?.end, 30)
  assert.deepEqual(
    pieces.flatMap(({ samples }) => samples),
    await samplesOf(path),
  )
  for (const [index, piece] of pieces.slice(1).entries()) assert.equal(piece.start, pieces[index]?.end)
})

test('pieces stay within the size too', async (t) => {
  const path = await recordTone(t, 20)
  const pieces = await piecesOf(split(path, 'wav', limits({ maxBytes: 100_000 })))
  assert.ok(pieces.length >= 7)
  for (const { bytes } of pieces) assert.ok(bytes <= 100_000, String(bytes))
  assert.equal(pieces.at(-1)?.end, 20)
})

test('what was transcribed before is not uploaded again, and the end is still the recording’s', async (t) => {
  const path = await recordTone(t, 20)
  const pieces = await piecesOf(split(path, 'wav', limits({ from: 15 })))
  assert.deepEqual(
    pieces.map(({ start, end }) => [start, end]),
    [[15, 20]],
  )
  assert.equal(pieces[0]?.samples.length, 5 * RATE)
  const nothing = await piecesOf(split(path, 'wav', limits({ from: 25 })))
  assert.deepEqual(
    nothing.map(({ start, end }) => [start, end]),
    [[25, 25]],
    'none before what was asked for',
  )
})

test('the file of a piece is gone when the next is asked for, and the last at the end or when left', async (t) => {
  const path = await recordTone(t, 20)
  const seen: string[] = []
  for await (const piece of split(path, 'wav', limits({ maxSeconds: 5 }))) {
    assert.equal((await stat(piece.path)).mode & 0o077, 0, 'for nobody else')
    seen.push(piece.path)
    if (seen.length === 2) break
  }
  for (const one of seen) await assert.rejects(access(one))
})

test('other containers are decoded where they must be cut', async () => {
  const decode: DecodePcm = async (_path, _container, _signal, from) => ({
    rate: 8_000,
    samples: (async function* () {
      for (let second = from; second < 12; second++) yield new Float32Array(8_000).fill(2)
    })(),
  })
  const pieces = await piecesOf(createSplit(decode)(LIVE_WEBM, 'webm', limits({ maxSeconds: 0.5 })))
  assert.ok(pieces.length > 1)
  const long = await piecesOf(createSplit(decode)(LIVE_WEBM, 'webm', limits({ from: 2 })))
  assert.deepEqual(
    long.map(({ start, end, container }) => [start, end, container]),
    [[2, 12, 'wav']],
  )
  assert.ok(
    long[0]?.samples.every((sample) => sample > 0.99),
    'too loud is as loud as can be',
  )
})

test('what can’t be decoded goes up whole where its size allows, else it is unreadable', async () => {
  const [whole] = await Array.fromAsync(split(LIVE_WEBM, 'webm', limits({ maxSeconds: 0.1 })))
  assert.equal(whole?.path, LIVE_WEBM)
  await assert.rejects(Array.fromAsync(split(LIVE_WEBM, 'webm', limits({ maxBytes: 100 }))), {
    code: 'unreadable',
  })
})

test('what a killed decoder did not come to does not go up whole, where it would be refused for its length', async () => {
  for (const code of ['interrupted', 'unavailable'] as const) {
    const dying: DecodePcm = () => Promise.reject(new EngineFailure(code, 'as the test says'))
    await assert.rejects(
      Array.fromAsync(createSplit(dying)(LIVE_WEBM, 'webm', limits({ maxSeconds: 0.1 }))),
      {
        code,
      },
    )
  }
})

test('bytes that are no recording are unreadable', async (t) => {
  const path = join(await temporaryFolder(t), 'noise')
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

/** Two channels of which the second is silent, in any of the ways in which WAV keeps a sample. */
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

test('WAV of every width, of several channels and of floats is read', async (t) => {
  const path = join(await temporaryFolder(t), 'some.wav')
  const samples = [0, 0.5, -0.5, 1, -1, 0.25, 0.125]
  const widths: [width: number, isFloat: boolean][] = [
    [1, false],
    [2, false],
    [3, false],
    [4, false],
    [4, true],
    [8, true],
  ]
  for (const [width, isFloat] of widths)
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

test('a WAV whose recorder was cut off, with no size in its head, is read to its end', async (t) => {
  const path = await recordTone(t, 2)
  const bytes = await readFile(path)
  bytes.writeUInt32LE(0, 40)
  await writeFile(path, bytes)
  assert.equal((await openWav(path)).duration, 2)
  bytes.writeUInt32LE(0xffffffff, 40)
  await writeFile(path, bytes)
  assert.equal((await openWav(path)).duration, 2)
})

test('a head that claims a rate, channels or a length that no recording has is unreadable', async (t) => {
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
  const path = join(await temporaryFolder(t), 'empty.wav')
  await writeWav(path, new Int16Array(0), RATE)
  const [piece] = await piecesOf(split(path, 'wav', limits()))
  assert.deepEqual([piece?.end, piece?.samples], [0, []])
})
