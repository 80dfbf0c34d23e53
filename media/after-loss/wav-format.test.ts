import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { decodeAudio } from '../decode/decode.ts'
import { DECODE_LIMITS, SAMPLE_RATE } from '../decode/limits.ts'
import { bytesOf } from '../join/file-spans.ts'
import type { WavFormat } from '../split/wav.ts'
import { fixture } from '../testing/fixtures.ts'
import { newPath, written } from '../testing/parts.ts'
import { voice } from '../testing/voice.ts'
import { continueFile } from './continue-file.ts'
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

for (const channels of [1, 2])
  test(`slices after a lost WAV header are decoded at their pitch, with ${channels} channels`, async () => {
    const format = { rate: 44_100, channels, bytes: 2, isFloat: false }
    const all = voice(3 * SECONDS, format)
    const size = SECONDS * format.rate * channels * 2
    const slices = [1, 2].map((n) => written(all.subarray(n * size, (n + 1) * size), 'wav', true).path)
    const continued = await continueFile(slices, null, SECONDS)
    assert.equal(continued?.container, 'wav')
    const path = newPath()
    await writeFile(path, bytesOf(continued))
    const decoded = await Array.fromAsync(
      decodeAudio({
        path,
        container: continued.container,
        ffmpeg: null,
        limits: DECODE_LIMITS,
        signal: new AbortController().signal,
        skip: 0,
      }),
    )
    const samples = decoded.reduce((sum, one) => sum + one.length, 0)
    assert.ok(Math.abs(samples / SAMPLE_RATE - 2 * SECONDS) < 0.1, `${samples}`)
    assert.equal(await continueFile(slices, null), null)
  })
