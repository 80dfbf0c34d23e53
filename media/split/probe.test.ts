import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../testing/recording.ts'
import { probeDuration } from './probe.ts'

const RECORDING = join(import.meta.dirname, '../testing/one.webm')
const LOOPING = new URL('./testing/looping-probe.ts', import.meta.url)

test('a recording on which the demuxer loops is unreadable', async () => {
  await assert.rejects(probeDuration(RECORDING, 'webm', { stallMs: 600_000, cpuMs: 500, worker: LOOPING }), {
    name: 'MediaFailure',
    code: 'unreadable',
  })
})

test('a probe that stalls without using CPU time is interrupted, and can be retried', async () => {
  await assert.rejects(probeDuration(RECORDING, 'webm', { stallMs: 1, worker: LOOPING }), {
    name: 'MediaFailure',
    code: 'interrupted',
  })
})

test('a recording that is missing on disk is unavailable, not unreadable', async (t) => {
  const absent = join(await temporaryFolder(t), 'absent')
  await assert.rejects(probeDuration(absent, 'webm'), { name: 'MediaFailure', code: 'unavailable' })
})
