import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DECODE_LIMITS } from '../../media/decode/limits.ts'
import { wavOf, writeTemporary } from '../../media/testing/fixtures.ts'
import { isProcessAlive } from '../../platform/is-process-alive.ts'
import { createBetterEngine } from './better-engine.ts'

test('the process of the better model ends when it has no work, and starts again', async (t) => {
  const settings = {
    threads: 1,
    ffmpeg: null,
    limits: DECODE_LIMITS,
    size: 'base',
    english: 'whisper',
  } as const
  const engine = createBetterEngine(settings, 20)
  t.after(() => engine.close())
  const silence = wavOf(Buffer.alloc(32_000), { rate: 16_000, channels: 1, isFloat: false, bytes: 2 })
  const job = {
    path: writeTemporary(t, 'silence', silence),
    container: 'wav' as const,
    language: null,
    hotwords: [],
    from: 0,
  }
  const { signal } = new AbortController()
  const pids: number[] = []
  for (let run = 0; run < 2; run++) {
    const running = engine.transcribe(job, signal)
    const [pid = 0] = await until(() => engine.pids())
    pids.push(pid)
    assert.deepEqual((await running).segments, [])
    await until(() => (isProcessAlive(pid) ? [] : [pid]))
  }
  assert.notEqual(pids[0], pids[1])
})

async function until(read: () => number[]): Promise<number[]> {
  for (;;) {
    const found = read()
    if (found.length > 0) return found
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
