import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../framework/random.ts'
import { newRecording, transcribeSamples } from './recording.ts'

test('the text of a recording can be read from its bytes, with or without headers in later chunks', () => {
  for (const isLive of [false, true]) {
    const { chunks, lines } = newRecording('7', 3, isLive, seededRandom('recording'))
    const head = (seq: number) => (isLive && seq > 0 ? 0 : 44)
    assert.deepEqual(
      chunks.flatMap(({ bytes }, seq) =>
        transcribeSamples(bytes.subarray(head(seq))).map(({ text }) => text),
      ),
      lines,
    )
  }
})

test('a seed always gives the same recording, and another seed a different one', () => {
  const digests = (seed: string) =>
    newRecording('7', 3, true, seededRandom(seed)).chunks.map(({ digest }) => digest)
  assert.deepEqual(digests('one'), digests('one'))
  assert.notDeepEqual(digests('one'), digests('two'))
})
