import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixturePath } from '../testing/fixtures.ts'
import { probeDuration } from './probe.ts'

const worker = new URL('./testing/looping-probe.ts', import.meta.url)

const failures: [what: string, file: string, code: string, limits: object][] = [
  ['on which the demuxer loops', 'one.webm', 'unreadable', { stallMs: 600_000, cpuMs: 500, worker }],
  ['on which the demuxer stalls without using CPU time', 'one.webm', 'interrupted', { stallMs: 1, worker }],
  ['that is missing on disk', 'absent.webm', 'unavailable', {}],
]
for (const [what, file, code, limits] of failures)
  test(`a recording ${what} is ${code}`, () =>
    assert.rejects(probeDuration(fixturePath(file), 'webm', limits), { name: 'MediaFailure', code }))
