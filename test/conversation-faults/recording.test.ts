import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seeded } from '../faults/random.ts'
import { hear, newRecording } from './recording.ts'

test('what a recording says can be heard from its bytes, chunk by chunk or in one go', () => {
  for (const isLive of [false, true]) {
    const { chunks, lines } = newRecording('7', 3, isLive, seeded('recording'))
    const head = (seq: number) => (isLive && seq > 0 ? 0 : 44)
    assert.deepEqual(
      chunks.flatMap(({ bytes }, seq) => hear(bytes.subarray(head(seq))).map(({ text }) => text)),
      lines,
    )
  }
})

test('a seed says the same again, and another something else', () => {
  const digests = (seed: string) =>
    newRecording('7', 3, true, seeded(seed)).chunks.map(({ digest }) => digest)
  assert.deepEqual(digests('one'), digests('one'))
  assert.notDeepEqual(digests('one'), digests('two'))
})
