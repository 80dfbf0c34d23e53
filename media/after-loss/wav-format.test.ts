import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { decodeAudio } from '../decode/decode.ts'
import { DECODE_LIMITS, SAMPLE_RATE } from '../decode/limits.ts'
import { concatSamples } from '../decode/resample.ts'
import { bytesOf } from '../join/file-spans.ts'
import type { WavFormat } from '../split/wav.ts'
import { fixture, wavOf } from '../testing/fixtures.ts'
import { newPath, slices, written } from '../testing/parts.ts'
import { voice } from '../testing/voice.ts'
import { type ContinuedFile, continueFile } from './continue-file.ts'
import { guessWavFormat } from './wav-format.ts'

const SECONDS = 2

const FORMATS: [name: string, WavFormat][] = [16_000, 44_100, 48_000].flatMap((rate) =>
  [1, 2].flatMap((channels): [string, WavFormat][] => [
    [`16 bit, ${rate} Hz, ${channels} channels`, { rate, channels, bytes: 2, isFloat: false }],
    [`24 bit, ${rate} Hz, ${channels} channels`, { rate, channels, bytes: 3, isFloat: false }],
    [`float, ${rate} Hz, ${channels} channels`, { rate, channels, bytes: 4, isFloat: true }],
  ]),
)

for (const [name, format] of FORMATS) {
  const sound = voice(SECONDS + 1, format)
  for (const cut of [0, 1])
    test(`samples without a header have the format that fits their length and is continuous: ${name}, cut at ${cut}`, () => {
      const size = SECONDS * format.rate * format.channels * format.bytes
      const slice = sound.subarray(cut, cut + size)
      const guessed = guessWavFormat(slice, SECONDS)
      assert.deepEqual(guessed?.format, format)
      // Exchanged channels sound the same.
      assert.equal(((guessed?.at ?? 0) + cut) % format.bytes, 0)
    })
}

test('bytes that are not samples have no format', () => {
  const random = Buffer.alloc(160_000)
  for (let at = 0, seed = 7; at < random.length; at++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    random[at] = seed >> 16
  }
  const compressed = fixture('chromium.webm')
  const page = Buffer.from('<!doctype html><title>502</title>'.repeat(5_000)).subarray(0, 160_000)
  for (const bytes of [random, page, Buffer.alloc(160_000), compressed]) {
    assert.equal(guessWavFormat(bytes, SECONDS), null)
    assert.equal(guessWavFormat(bytes, bytes.length / 32_000), null)
  }
})

test('samples of a length that fits no usual format have no format', () => {
  const format = { rate: 16_000, channels: 1, bytes: 2, isFloat: false }
  assert.equal(guessWavFormat(voice(3, format), 3.3), null)
})

/** The samples of a file, as they are transcribed. */
async function decoded(continued: ContinuedFile): Promise<Float32Array> {
  const path = newPath()
  await writeFile(path, bytesOf(continued))
  const { signal } = new AbortController()
  const source = {
    path,
    container: continued.container,
    ffmpeg: null,
    limits: DECODE_LIMITS,
    signal,
    skip: 0,
  }
  return concatSamples(...(await Array.fromAsync(decodeAudio(source))))
}

for (const [name, format] of FORMATS)
  test(`slices that do not hold whole samples are read on with their header: ${name}`, async () => {
    const sound = voice(3 * SECONDS, format)
    const frame = format.channels * format.bytes
    const size = SECONDS * format.rate * frame
    const [first, , last] = slices(wavOf(sound, format), [44 + size - 1, 44 + 2 * size + 1], 'wav')
    assert.ok(first && last)
    const silence = written(Buffer.alloc(size + frame - 1), 'wav', true)
    for (const paths of [[last.path], [silence.path, written(sound.subarray(1), 'wav', true).path]]) {
      const continued = await continueFile(paths, first)
      assert.ok(continued)
      assert.equal(continued.firstPart, paths.length - 1)
      const samples = await decoded(continued)
      const seconds = paths.length === 1 ? SECONDS : 3 * SECONDS
      assert.ok(Math.abs(samples.length / SAMPLE_RATE - seconds) < 0.1, `${samples.length}`)
      // Samples that are read from a wrong byte on are loud noise.
      const power = samples.reduce((sum, value) => sum + value ** 2, 0) / samples.length
      assert.ok(power < 0.02, `${power}`)
    }
  })

test('slices that hold whole samples are read from their first byte on, also if they are silent', async () => {
  const format = { rate: 16_000, channels: 2, bytes: 2, isFloat: false }
  const first = written(wavOf(voice(SECONDS, format), format), 'wav')
  for (const bytes of [voice(SECONDS, format), Buffer.alloc(64_000)]) {
    const continued = await continueFile([written(bytes, 'wav', true).path], first)
    assert.deepEqual(continued?.spans[1], { ...continued?.spans[1], start: 0 })
  }
})

for (const channels of [1, 2])
  test(`slices after a lost WAV header are decoded at their pitch, with ${channels} channels`, async () => {
    const format = { rate: 44_100, channels, bytes: 2, isFloat: false }
    const all = voice(3 * SECONDS, format)
    const size = SECONDS * format.rate * channels * 2
    const rest = [1, 2].map((n) => written(all.subarray(n * size, (n + 1) * size), 'wav', true).path)
    const continued = await continueFile(rest, null, SECONDS)
    assert.equal(continued?.container, 'wav')
    const samples = (await decoded(continued)).length
    assert.ok(Math.abs(samples / SAMPLE_RATE - 2 * SECONDS) < 0.1, `${samples}`)
    assert.equal(await continueFile(rest, null), null)
  })
