import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dropLoop } from './cached-decoder.ts'
import { withoutRushedRepetition } from './repeated-ending.ts'
import { openInference } from './runtime.ts'
import { readWeights, WEIGHTS } from './weights.ts'

test('rejects weights with the wrong checksum', async () => {
  const changed = { ...WEIGHTS.silero, sha256: '0'.repeat(64) }
  await assert.rejects(readWeights(changed), { code: 'misconfigured', message: /unexpected checksum/ })
})

test('names the package of missing weights', async () => {
  await assert.rejects(readWeights({ ...WEIGHTS.silero, package: 'no-such-package' }), {
    code: 'misconfigured',
    message: 'The package no-such-package is not installed.',
  })
})

const drop = (tokens: readonly number[]): number[] =>
  dropLoop(tokens.map((token) => ({ token, probability: 1 }))).map(({ token }) => token)

test('removes the repetitions of a stuck decoder', () => {
  assert.deepEqual(drop([1, 2, 3, ...Array<number>(15).fill(4)]), [1, 2, 3, 4])
  assert.deepEqual(drop([9, ...Array.from({ length: 20 }, (_, n) => n % 4)]), [9, 0, 1, 2, 3])
})

test('keeps natural repetitions', () => {
  for (const tokens of [[], [1], [1, 1, 1, 1], [1, 2, 1, 2, 1, 2], [5, 6, 7, 8, 9]])
    assert.deepEqual(drop(tokens), tokens)
})

test('removes a repetition at the end that hardly fits into the time', () => {
  const pieces = ['', ' The', ' water', ' is', ' not', ' clean', '.', ' the', ' and']
  const textOf = ([token = 0]: number[]): string => pieces[token] ?? ''
  const kept = (tokens: number[], seconds: number): number[] =>
    withoutRushedRepetition(
      tokens.map((token) => ({ token, probability: 1 })),
      seconds,
      textOf,
    ).map(({ token }) => token)
  const sentence = [1, 2, 3, 4, 5, 6]
  const twice = [...sentence, 7, ...sentence.slice(1)]
  assert.deepEqual(kept(twice, 2), sentence)
  assert.deepEqual(kept(twice, 3), twice)
  assert.deepEqual(kept([...sentence, ...sentence, ...sentence.slice(0, 3)], 2), sentence)
  const short = [1, 2, 8, 8, 8, 8]
  assert.deepEqual(kept(short, 0.5), short)
})

test('the models run in WebAssembly without native code', async () => {
  const ort = await openInference(1, false)
  assert.equal(ort.kind, 'wasm')
  const silero = await ort.load(WEIGHTS.silero)
  const inputs = {
    input: ort.floats(new Float32Array(576), [1, 576]),
    state: ort.floats(new Float32Array(256), [2, 1, 128]),
    sr: ort.integers([16_000], []),
  }
  const { output } = await silero.run(inputs, ['output'])
  const [chance = 1] = output.data as Float32Array
  assert.ok(chance < 0.1)
})
