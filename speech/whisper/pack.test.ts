import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import type { Stretch } from '../vad/find-speech.ts'
import { packed } from './pack.ts'

const stretch = (start: number, seconds: number, lead = 0): Stretch => ({
  start,
  end: start + seconds - lead,
  lead,
  samples: new Float32Array(seconds * SAMPLE_RATE),
})

async function pack(...stretches: Stretch[]) {
  async function* each() {
    yield* stretches
  }
  return Array.fromAsync(packed(each()))
}

test('stretches share a window as long as they fit', async () => {
  const packs = await pack(stretch(0, 10), stretch(60, 10), stretch(100, 10))
  assert.deepEqual(
    packs.map(({ stretches }) => stretches.length),
    [2, 1],
  )
})

test('a stretch that shares sound with the one before gets a window of its own', async () => {
  const packs = await pack(stretch(0, 5), stretch(5, 6, 1))
  assert.equal(packs.length, 2)
})

test('places in a window are moments of the recording', async () => {
  const [window] = await pack(stretch(100, 5), stretch(200, 5))
  assert.ok(window)
  assert.equal(window.timeAt(2, 'start'), 102)
  assert.equal(window.timeAt(5.1, 'end'), 105)
  assert.equal(window.timeAt(5.3, 'start'), 200)
  assert.equal(window.timeAt(7.3, 'end'), 202)
  assert.equal(window.timeAt(99, 'end'), 205)
})
