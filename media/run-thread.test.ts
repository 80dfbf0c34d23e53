import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runThread } from './run-thread.ts'

const worker = new URL('./testing/counting-thread.ts', import.meta.url)
const run = (task: string, signal?: AbortSignal) =>
  runThread<never, number>(task, { worker, stallMs: 60_000, cpuMs: 500 }, () => {}, signal)

test('a thread runs task after task, and a new one replaces a thread that failed', async () => {
  assert.deepEqual(await run('count'), { result: 1 })
  assert.deepEqual(await run('count'), { result: 2 })
  assert.deepEqual(await run('throw'), { failed: 'threw' })
  assert.deepEqual(await run('count'), { result: 1 })
  assert.deepEqual(await run('loop'), { failed: 'looping' })
  assert.deepEqual(await run('count'), { result: 1 })
  await assert.rejects(run('full disk'), { code: 'ENOSPC' })
  assert.deepEqual(await run('count'), { result: 1 })
  const abort = new AbortController()
  const looping = run('loop', abort.signal)
  abort.abort()
  await assert.rejects(looping, { name: 'AbortError' })
  assert.deepEqual(await run('count'), { result: 1 })
})

test('tasks at the same time run in threads of their own', async () => {
  const first = await run('count')
  assert.ok('result' in first)
  const both = await Promise.all([run('count'), run('count')])
  assert.deepEqual(both, [{ result: first.result + 1 }, { result: 1 }])
})
