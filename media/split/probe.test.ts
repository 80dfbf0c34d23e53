import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../testing/recording.ts'
import { probeDuration } from './probe.ts'

const RECORDING = join(import.meta.dirname, '../testing/one.webm')
const LOOPING = new URL('./testing/looping-probe.ts', import.meta.url)

test('a recording in which the demuxer loops is unreadable: another try would loop again', async () => {
  await assert.rejects(probeDuration(RECORDING, 'webm', { limitMs: 600_000, cpuMs: 500, worker: LOOPING }), {
    name: 'EngineFailure',
    code: 'unreadable',
  })
})

test('a probe that takes too long without using its CPU time is tried again', async () => {
  await assert.rejects(probeDuration(RECORDING, 'webm', { limitMs: 1, worker: LOOPING }), {
    name: 'EngineFailure',
    code: 'interrupted',
  })
})

test('a recording that can’t be read from the disk is not taken for one without sense', async (t) => {
  const absent = join(await temporaryFolder(t), 'absent')
  await assert.rejects(probeDuration(absent, 'webm'), { name: 'EngineFailure', code: 'unavailable' })
})
