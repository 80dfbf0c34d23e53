import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DECODE_LIMITS } from '../../media/decode/limits.ts'
import { fuzzInWorkers, fuzzTogether, SEED } from './fuzz.ts'

/** A part of the 3,000 files of `npm run test:fuzz:media`. */
const FILES = 150
const CONTAINERS = 7
/** Ends files that hang without using CPU time. On an idle core all tests take about 20 s. */
const timeout = 600_000

test(`${FILES} mutated media files neither hang nor crash the decoder and the joiner, nor take much memory`, {
  timeout,
}, async () => {
  const { files, findings, maxMemoryMb } = await fuzzTogether(SEED, 0, FILES)
  assert.deepEqual(findings, [])
  assert.equal(files, FILES)
  assert.ok(maxMemoryMb < DECODE_LIMITS.maxMemoryMb, `${maxMemoryMb} MiB`)
})

test('decodes and joins a mutated file of each container in worker processes and threads', {
  timeout,
}, async () => {
  for (let n = 0; n < CONTAINERS; n++) assert.deepEqual(await fuzzInWorkers(SEED, n), [])
})
