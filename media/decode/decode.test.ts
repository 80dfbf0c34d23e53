import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Container } from '../containers/container.ts'
import { ENDLESS } from '../testing/endless.ts'
import { clip, SAMPLES, silentWebm, wavOf, writeTemporary } from '../testing/fixtures.ts'
import { decodeAudio, type Recording } from './decode.ts'
import { findFfmpeg } from './find-ffmpeg.ts'
import { KeptDecoder } from './kept-decoder.ts'
import { DECODE_LIMITS, SAMPLE_RATE } from './limits.ts'
import { concatSamples } from './resample.ts'

const never = new AbortController().signal

async function decode(
  path: string,
  container: Container,
  more: Partial<Recording> = {},
): Promise<Float32Array> {
  const recording = { path, container, ffmpeg: null, limits: DECODE_LIMITS, signal: never, skip: 0, ...more }
  return concatSamples(...(await Array.fromAsync(decodeAudio(recording))))
}

/** One process for all the files that it decodes: starting one takes longer than decoding. */
const kept = new KeptDecoder(DECODE_LIMITS)
after(() => kept.close())

async function decodeHere(path: string, container: Container, skip = 0): Promise<Float32Array> {
  const recording = { path, container, isContinued: false, skip, signal: never }
  return concatSamples(...(await Array.fromAsync(kept.decode(recording))))
}

const loudness = (audio: Float32Array): number =>
  Math.sqrt(audio.reduce((sum, value) => sum + value * value, 0) / audio.length)

const limited = (limits: object) => ({ limits: { ...DECODE_LIMITS, ...limits } })
const unreadable = (reason: RegExp) => ({ name: 'MediaFailure', code: 'unreadable', message: reason })
const interrupted = (reason: RegExp) => ({ name: 'MediaFailure', code: 'interrupted', message: reason })
const needsFfmpeg = { name: 'MediaFailure', code: 'needs_ffmpeg', message: /needs ffmpeg/ }

/** As an iPhone records it. */
const FRAGMENTED = join(SAMPLES, 'containers/fragmented.mp4')
const TONES = join(import.meta.dirname, '../testing')

const OWN = ['webm', 'ogg', 'wav', 'mp3', 'flac', 'mp4', 'aac'] as const

for (const container of OWN)
  test(`decodes ${container} without ffmpeg`, async () => {
    const [sound, original] = [await decode(clip(container), container), await decodeHere(clip('wav'), 'wav')]
    assert.ok(Math.abs(sound.length - original.length) < 0.2 * SAMPLE_RATE, `${sound.length} samples`)
    assert.ok(Math.abs(loudness(sound) / loudness(original) - 1) < 0.1, `loudness ${loudness(sound)}`)
  })

for (const container of OWN)
  test(`decodes truncated ${container} up to its end`, async (t) => {
    // Half an MP4 has no index. Only fragmented MP4, which phones record, can be read from the beginning.
    const bytes = readFileSync(container === 'mp4' ? FRAGMENTED : clip(container))
    const half = writeTemporary(t, 'half', bytes.subarray(0, bytes.length / 2))
    const seconds = (await decodeHere(half, container)).length / SAMPLE_RATE
    assert.ok(seconds > 0.9 && seconds < 2.2, `${seconds} s`)
  })

/** The relative difference between two signals that should be equal. */
const difference = (one: Float32Array, other: Float32Array): number =>
  loudness(one.map((value, index) => value - (other[index] as number))) / loudness(one)

for (const container of OWN)
  test(`decodes ${container} from a later sample on`, async () => {
    const whole = await decodeHere(clip(container), container)
    for (const skip of [1, 20_001]) {
      const rest = await decodeHere(clip(container), container, skip)
      const expected = whole.subarray(skip)
      assert.equal(rest.length, expected.length)
      assert.ok(difference(expected, rest) < 0.02, `${skip}: ${difference(expected, rest)}`)
    }
    assert.equal((await decodeHere(clip(container), container, whole.length + 5)).length, 0)
  })

test('skips the same number of samples with ffmpeg', async (t) => {
  const ffmpeg = findFfmpeg()
  if (ffmpeg === null) return t.skip('needs ffmpeg')
  for (const container of OWN) {
    const [skip, { length }] = [20_000, await decode(clip(container), container, { ffmpeg })]
    const rest = await decode(clip(container), container, { ffmpeg, skip })
    assert.ok(Math.abs(length - skip - rest.length) < 0.05 * SAMPLE_RATE, `${container}: ${rest.length}`)
  }
})

test('a codec without a decoder on npm fails with needs_ffmpeg', async () => {
  const vorbis = join(SAMPLES, 'containers/vorbis.webm')
  const ffmpeg = findFfmpeg()
  for (const skip of [0, 16_000]) {
    await assert.rejects(decode(vorbis, 'webm', { skip }), needsFfmpeg)
    if (ffmpeg === null) continue
    const rest = await decode(vorbis, 'webm', { skip, ffmpeg })
    assert.ok(Math.abs(rest.length - 3 * SAMPLE_RATE + skip) < 0.2 * SAMPLE_RATE)
  }
})

/** The clip, with a part of its sound overwritten, from one share of it to another. */
function damagedMp4(from: number, to: number): Buffer {
  const bytes = readFileSync(clip('mp4'))
  const data = bytes.indexOf('mdat') + 4
  const length = bytes.readUInt32BE(data - 8) - 8
  return bytes.fill(0x5a, data + Math.floor(from * length), data + Math.floor(to * length))
}

test('audio after damage in AAC keeps its time', async (t) => {
  const damaged = writeTemporary(t, 'damaged', damagedMp4(0.45, 0.5))
  const [sound, whole] = [await decodeHere(damaged, 'mp4'), await decodeHere(clip('mp4'), 'mp4')]
  assert.equal(sound.length, whole.length)
  const isSame = (from: number, to: number): boolean =>
    difference(whole.subarray(from, to), sound.subarray(from, to)) < 0.02
  assert.ok(isSame(0, SAMPLE_RATE))
  assert.ok(!isSame(SAMPLE_RATE, 2 * SAMPLE_RATE))
  assert.ok(isSame(2 * SAMPLE_RATE, whole.length))
})

/** As an iPhone records, but with all fragments from the `n`th on later than they were. */
function laterFrom(n: number, seconds: number): Buffer {
  const bytes = readFileSync(FRAGMENTED)
  const times = [...bytes.toString('latin1').matchAll(/tfdt/g)].map(({ index }) => index + 'tfdt'.length + 4)
  assert.ok(times.length > 4)
  for (const at of times.slice(n))
    bytes.writeBigUInt64BE(bytes.readBigUInt64BE(at) + BigInt(seconds * SAMPLE_RATE), at)
  return bytes
}

test('a gap in the timestamps of AAC becomes silence', async (t) => {
  const whole = await decodeHere(FRAGMENTED, 'mp4')
  const path = writeTemporary(t, 'interrupted', laterFrom(3, 1))
  const sound = await decodeHere(path, 'mp4')
  // In whole packets: 64 ms.
  assert.ok(Math.abs(sound.length - whole.length - SAMPLE_RATE) < 0.064 * SAMPLE_RATE, `${sound.length}`)
  const rest = await decodeHere(path, 'mp4', 3 * SAMPLE_RATE)
  assert.ok(Math.abs(sound.length - rest.length - 3 * SAMPLE_RATE) < 0.064 * SAMPLE_RATE, `${rest.length}`)
})

for (const [what, fragment, seconds] of [
  ['begins late', 0, 5],
  ['has a clock that breaks', 3, 2 ** 36],
] as const)
  test(`MP4 that ${what} decodes to the same audio, from any sample on`, async (t) => {
    const whole = await decodeHere(FRAGMENTED, 'mp4')
    const path = writeTemporary(t, 'late', laterFrom(fragment, seconds))
    for (const skip of [0, 8_000, 24_000, 40_000]) {
      const rest = await decodeHere(path, 'mp4', skip)
      const expected = whole.subarray(skip)
      assert.equal(rest.length, expected.length, `${skip}`)
      assert.ok(difference(expected, rest) < 0.02, `${skip}: ${difference(expected, rest)}`)
    }
  })

test('decodes ADTS whose sample rate changes', async (t) => {
  const [slow, quick] = [readFileSync(clip('aac')), readFileSync(join(TONES, 'tone.aac'))]
  const both = writeTemporary(t, 'both', Buffer.concat([slow, quick]))
  const seconds = (await decodeHere(both, 'aac')).length / SAMPLE_RATE
  assert.ok(Math.abs(seconds - 3 - 1) < 0.3, `${seconds} s`)
})

test('AAC without a decodable packet is unreadable', async (t) => {
  const bad = writeTemporary(t, 'bad', damagedMp4(0, 1))
  await assert.rejects(decode(bad, 'mp4'), unreadable(/none of its packets/))
})

test('decodes floats, many channels and unusual rates', async (t) => {
  const samples = Float32Array.from({ length: 44_100 * 3 }, (_, n) => 0.5 * Math.sin(n / 3 / 20))
  const wav = wavOf(Buffer.from(samples.buffer), { rate: 44_100, channels: 3, isFloat: true, bytes: 4 })
  const sound = await decodeHere(writeTemporary(t, 'float', wav), 'wav')
  assert.ok(Math.abs(sound.length - SAMPLE_RATE) <= 2)
  assert.ok(Math.abs(loudness(sound) - 0.5 / Math.SQRT2) < 0.01)
})

test('bytes of another container are unreadable', async () => {
  await assert.rejects(decode(clip('mp3'), 'webm'), unreadable(/not webm/))
  await assert.rejects(decode(clip('webm'), 'wav'), unreadable(/not wav/))
})

test('a playlist is unreadable as any container', async (t) => {
  const junk = writeTemporary(t, 'junk', Buffer.from('#EXTM3U\nhttp://127.0.0.1:9/secret\n'.repeat(500)))
  for (const container of OWN)
    for (const ffmpeg of new Set([null, findFfmpeg()]))
      await assert.rejects(
        decode(junk, container, { ffmpeg }),
        unreadable(/can't be read/),
        `${container} ${ffmpeg}`,
      )
})

test('an hour of silence in a few bytes exceeds the limit', async (t) => {
  const bomb = writeTemporary(t, 'bomb', silentWebm(3600))
  await assert.rejects(decode(bomb, 'webm', limited({ maxSeconds: 60 })), unreadable(/longer than 1 minutes/))
  const ffmpeg = script(t, 'exec cat /dev/zero')
  const failure = unreadable(/longer than 15 minutes, the limit for its size/)
  await assert.rejects(decode(bomb, 'webm', { ffmpeg }), failure)
})

test('impossible rates and channel counts are unreadable', async (t) => {
  const data = Buffer.alloc(4096)
  const slow = writeTemporary(t, 'slow', wavOf(data, { rate: 1, channels: 1, bytes: 2 }))
  await assert.rejects(decode(slow, 'wav'), unreadable(/claims 1 samples a second/))
  const wide = writeTemporary(t, 'wide', wavOf(data, { rate: 16_000, channels: 2000, bytes: 2 }))
  await assert.rejects(decode(wide, 'wav'), unreadable(/claims 2000 channels/))
})

test('a header that claims too much data yields the data that exists', async (t) => {
  const header = { rate: 16_000, channels: 1, bytes: 2, claimed: 0xffff_ff00 }
  const sound = await decodeHere(writeTemporary(t, 'short', wavOf(Buffer.alloc(32_000), header)), 'wav')
  assert.equal(sound.length, 16_000)
})

/** Replaces ffmpeg. */
const script = (t: TestContext, lines: string): string =>
  writeTemporary(t, 'decoder', Buffer.from(`#!/bin/sh\n${lines}\n`))

const SOME_AUDIO = 'head -c 64000 /dev/zero'

const onLinux = { skip: process.platform !== 'linux' && 'needs /proc' }

/** A decoder in JavaScript. `burn()` uses 400 ms of CPU time, 50 ms between two steps. */
const program = (body: string): string => `exec '${process.execPath}' -e '
  const { openSync, readSync, writeSync } = require("node:fs")
  const used = () => process.cpuUsage().user + process.cpuUsage().system
  const burn = (step = () => {}) => {
    for (let n = 0; n < 8; n++) {
      step()
      for (const until = used() + 50_000; used() < until; );
    }
  }
  const file = openSync("${clip('wav')}")
  const read = () => readSync(file, Buffer.alloc(2 ** 16), 0, 2 ** 16, 0)
  const sound = () => writeSync(1, Buffer.alloc(4_000))
  ${body}'`
const STRICT = { stuckCpuMs: 1_000, stallMs: 600_000 }
const HOG = 'const held = []; setInterval(() => held.push(Buffer.alloc(2 ** 24, 1)), 20)'

const failures: [
  what: string,
  lines: string,
  failure: { code: string },
  limits?: object,
  options?: object,
][] = [
  ...['kill -KILL $$', 'kill -TERM $$', 'kill -INT $$', 'exit 255'].flatMap((end) =>
    [end, `${SOME_AUDIO}; ${end}`].map((lines): [string, string, { code: string }] => [
      `ends with “${lines}”`,
      lines,
      interrupted(/decoder was killed/),
    ]),
  ),
  ['crashes with SIGSEGV', 'kill -SEGV $$', unreadable(/not wav/)],
  ['crashes with SIGABRT', 'kill -ABRT $$', unreadable(/not wav/)],
  ['hangs', 'exec sleep 60', interrupted(/no audio was decoded/), { stallMs: 300 }],
  [
    'hangs at its end',
    `${SOME_AUDIO}; exec >&-; exec sleep 60`,
    interrupted(/no audio was decoded/),
    { stallMs: 300 },
  ],
  ['loops', 'while :; do :; done', unreadable(/1 s of CPU/), { ...STRICT, stuckCpuMs: 1_000 }, onLinux],
  ['reads the same bytes again and again', program('for (;;) read()'), unreadable(/CPU/), STRICT, onLinux],
  ['takes much memory', program(HOG), unreadable(/more than 200 MiB/), { maxMemoryMb: 200 }, onLinux],
]
for (const [what, lines, failure, limits = {}, options = {}] of failures)
  test(`a decoder that ${what} fails as ${failure.code}`, options, async (t) => {
    const ffmpeg = script(t, lines)
    await assert.rejects(decode(clip('wav'), 'wav', { ffmpeg, ...limited(limits) }), failure)
  })

test('the CPU limit is 5 s', () => assert.equal(DECODE_LIMITS.stuckCpuMs, 5_000))

test('a decoder that cannot be started is unavailable', async () => {
  const failure = { name: 'MediaFailure', code: 'unavailable', message: /ENOENT/ }
  await assert.rejects(decode(clip('wav'), 'wav', { ffmpeg: '/nowhere/at/all' }), failure)
})

const patient: [what: string, body: string, samples: number][] = [
  ['decodes audio', 'for (let n = 0; n < 5; n++) { burn(); sound() }', 5_000],
  ['reads further', 'for (let n = 0; n < 5; n++) burn(read); sound()', 1_000],
]
for (const [what, body, samples] of patient)
  test(`a decoder that ${what} is not stopped by the CPU limit`, onLinux, async (t) => {
    const ffmpeg = script(t, program(body))
    assert.equal((await decode(clip('wav'), 'wav', { ffmpeg, ...limited(STRICT) })).length, samples)
  })

for (const [place, bytes] of Object.entries(ENDLESS))
  test(`a file that once made the demuxer loop (${place}) is decoded or rejected`, async (t) => {
    const container = place === 'adts' ? 'aac' : 'webm'
    const decoded = decode(writeTemporary(t, 'endless', bytes()), container)
    if (place === 'clusters' || place === 'adts') assert.ok((await decoded).length > SAMPLE_RATE / 2)
    else await assert.rejects(decoded, unreadable(/no audio track/))
  })

test('ffmpeg decodes a file on which our own decoder hangs', async (t) => {
  // A pipe without a writer.
  const path = join(mkdtempSync(join(tmpdir(), 'parley-decode-')), 'pipe')
  t.after(() => rmSync(dirname(path), { recursive: true }))
  execFileSync('mkfifo', [path])
  const ffmpeg = script(t, SOME_AUDIO)
  const { length } = await decode(path, 'mp4', { ffmpeg, ...limited({ stallMs: 2_000 }) })
  assert.equal(length, 16_000)
})

test('a pause of our own process does not count as a stalled decoder', async (t) => {
  const ffmpeg = script(
    t,
    `${SOME_AUDIO}; until [ -e "$0.go" ]; do sleep 0.01; done; ${SOME_AUDIO}; exec sleep 60`,
  )
  const recording = { path: clip('wav'), container: 'wav' as const, ffmpeg, signal: never, skip: 0 }
  const pieces = decodeAudio({ ...recording, ...limited({ stallMs: 1_000 }) })
  let samples = 0
  while (samples < 16_000) samples += (await pieces.next()).value?.length ?? 0
  const next = pieces.next()
  await turn()
  writeFileSync(`${ffmpeg}.go`, '')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500)
  assert.ok(((await next).value?.length ?? 0) > 0)
  await pieces.return(undefined)
})

test('an abort kills the decoder', async (t) => {
  const ffmpeg = script(t, 'exec sleep 60')
  const abort = new AbortController()
  const decoding = decode(clip('wav'), 'wav', { ffmpeg, signal: abort.signal })
  setImmediate(() => abort.abort())
  await assert.rejects(decoding, { name: 'AbortError' })
})

test('a missing recording is unavailable', async () => {
  await assert.rejects(decode('/nowhere/at/all', 'wav'), { code: 'unavailable' })
})

test('a recording that the disk cannot read is unavailable', async () => {
  // A folder can be opened, but not read.
  await assert.rejects(decode(import.meta.dirname, 'webm'), { code: 'unavailable' })
})
