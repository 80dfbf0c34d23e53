import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { type TestContext, test } from 'node:test'
import { CHROMIUM_CUTS, clip, fixture, fixturePath, writeTemporary } from '../testing/fixtures.ts'
import { decodeAudio } from './decode.ts'
import { spawnKeptDecoder } from './decoder-process.ts'
import { KeptDecoder } from './kept-decoder.ts'
import { DECODE_LIMITS } from './limits.ts'
import { concatSamples } from './resample.ts'

const { signal } = new AbortController()

function openDecoder(t: TestContext): KeptDecoder {
  const decoder = new KeptDecoder(DECODE_LIMITS)
  t.after(() => decoder.close())
  return decoder
}

const all = async (blocks: AsyncIterable<Float32Array>): Promise<Float32Array> =>
  concatSamples(...(await Array.fromAsync(blocks)))

const wholeOf = (path: string, container: 'webm' | 'mp4' | 'wav' | 'ogg'): Promise<Float32Array> =>
  all(decodeAudio({ path, container, ffmpeg: null, limits: DECODE_LIMITS, signal, skip: 0 }))

test('decodes consecutive files with the same result as a new process per file', async (t) => {
  const decoder = openDecoder(t)
  for (const container of ['webm', 'wav', 'webm', 'ogg'] as const) {
    const path = clip(container)
    const samples = await all(decoder.decode({ path, container, isContinued: false, skip: 0, signal }))
    assert.deepEqual(samples, await wholeOf(path, container))
  }
})

for (const container of ['webm', 'mp4'] as const)
  test(`decodes only what is new of a ${container} recording that a browser sends in slices`, async (t) => {
    const decoder = openDecoder(t)
    const name = `chromium.${container}`
    const whole = await wholeOf(fixturePath(name), container)
    const cuts = [...CHROMIUM_CUTS[container], undefined]
    let decoded = 0
    const slices: number[] = []
    for (const [n, to] of cuts.entries()) {
      const path = writeTemporary(t, 'slice', fixture(name).subarray(cuts[n - 1] ?? 0, to))
      const slice = { path, container, isContinued: n > 0, skip: decoded, signal }
      const samples = await all(decoder.decode(slice))
      slices.push(samples.length)
      decoded += samples.length
    }
    // The decoder of MP4 places a packet to the nearest sample of the file's own rate.
    assert.ok(Math.abs(decoded - whole.length) < 16, `${decoded} of ${whole.length}`)
    assert.ok(Math.max(...slices) < whole.length / 2, slices.join(' '))
  })

test('terminates the decoder after damaged input or an aborted job', async (t) => {
  const path = writeTemporary(t, 'damaged', Buffer.alloc(10_000, 'no audio'))
  const decoder = openDecoder(t)
  await assert.rejects(all(decoder.decode({ path, container: 'webm', isContinued: false, skip: 0, signal })))
  const again = { path: clip('webm'), container: 'webm' as const, isContinued: false, skip: 0, signal }
  await assert.rejects(all(decoder.decode(again)))
  await assert.rejects(all(openDecoder(t).decode({ ...again, signal: AbortSignal.abort() })))
})

test('a decoder that takes too much CPU time is killed', async (t) => {
  const loop = () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: ['pipe', 'pipe', 'pipe'] })
  const decoder = new KeptDecoder({ ...DECODE_LIMITS, stuckCpuMs: 1 }, loop)
  t.after(() => decoder.close())
  const file = { path: clip('webm'), container: 'webm' as const, isContinued: false, skip: 0, signal }
  await assert.rejects(all(decoder.decode(file)), /ended/)
})

test('can read only its own code', () => {
  const child = spawnKeptDecoder(DECODE_LIMITS)
  child.kill('SIGKILL')
  const readable = child.spawnargs.filter((argument) => argument.startsWith('--allow'))
  assert.ok(child.spawnargs.includes('--permission'))
  assert.ok(
    readable.every((argument) => /^--allow-fs-read=.*\/(media\/dist|media|node_modules)$/.test(argument)),
  )
})
