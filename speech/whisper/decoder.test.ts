import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexOfLargest } from '../models/cached-decoder.ts'
import { openInference } from '../models/runtime.ts'
import { readWeights, WHISPER } from '../models/weights.ts'
import { loadDecoder } from './decoder.ts'
import { rewriteEncoder } from './graphs.ts'
import { TOKENS } from './vocabulary.ts'

const { encoder, shape } = WHISPER.base
const ort = await openInference(1)

test('the rewritten encoder computes what the published one does, also for a part of 30 s', async () => {
  const frames = 400
  const rewritten = await ort.loadGraph(rewriteEncoder(await readWeights(encoder), shape), 'released')
  const features = Float32Array.from({ length: 80 * 3000 }, (_, index) => Math.sin(index / 7) / 2)
  const sound = { input_features: ort.floats(features, [1, 80, 3000]) }
  const { last_hidden_state: whole } = await rewritten.run(sound, ['last_hidden_state'])
  const { last_hidden_state: original } = await (await ort.load(encoder)).run(sound, ['last_hidden_state'])
  assert.ok(similarity(whole.data as Float32Array, original.data as Float32Array) > 0.99)
  const part = { input_features: ort.floats(features.slice(0, 80 * frames), [1, 80, frames]) }
  const { last_hidden_state: states } = await rewritten.run(part, ['last_hidden_state'])
  assert.deepEqual(states.dims, [1, frames / 2, 512])
})

test('a prompt gives the same result at once and token by token', async () => {
  const start = await loadDecoder(ort, WHISPER.base)
  const states = Float32Array.from({ length: 100 * 512 }, (_, index) => Math.sin(index * 0.7))
  const audio = ort.floats(states, [1, 100, 512])
  const prompt = [TOKENS.previous, 2425, 11, 1002, TOKENS.start, 50_259, TOKENS.transcribe]
  const atOnce = await start(audio)(prompt)
  const next = start(audio)
  let byToken = new Float32Array(0)
  for (const token of prompt) byToken = Float32Array.from(await next([token]))
  assert.ok(similarity(atOnce, byToken) > 0.99)
  assert.equal(indexOfLargest(atOnce), indexOfLargest(byToken))
})

/** The cosine of the angle between both. 8-bit weights make small differences. */
function similarity(one: Float32Array, other: Float32Array): number {
  assert.equal(one.length, other.length)
  const product = (a: Float32Array, b: Float32Array): number =>
    a.reduce((sum, value, index) => sum + value * (b[index] as number), 0)
  return product(one, other) / Math.sqrt(product(one, one) * product(other, other))
}
