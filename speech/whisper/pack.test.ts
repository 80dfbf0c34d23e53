import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chain } from '../../media/decode/frames.ts'
import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import type { SpeechSegment } from '../vad/find-speech.ts'
import { packed } from './pack.ts'

const segment = (start: number, seconds: number, overlap = 0): SpeechSegment => ({
  start,
  end: start + seconds - overlap,
  overlap,
  samples: new Float32Array(seconds * SAMPLE_RATE),
})

const pack = (...segments: SpeechSegment[]) => Array.fromAsync(packed(chain(segments)))

test('segments share a window if they fit', async () => {
  const packs = await pack(segment(0, 10), segment(60, 10), segment(100, 10))
  assert.deepEqual(
    packs.map(({ segments }) => segments.length),
    [2, 1],
  )
})

test('a segment that overlaps the one before gets its own window', async () => {
  const packs = await pack(segment(0, 5), segment(5, 6, 1))
  assert.equal(packs.length, 2)
})

test('converts times within a window to times of the recording', async () => {
  const [window] = await pack(segment(100, 5), segment(200, 5))
  assert.ok(window)
  assert.equal(window.timeAt(2, 'start'), 102)
  assert.equal(window.timeAt(5.1, 'end'), 105)
  assert.equal(window.timeAt(5.3, 'start'), 200)
  assert.equal(window.timeAt(7.3, 'end'), 202)
  assert.equal(window.timeAt(99, 'end'), 205)
})
