import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clippedBy } from '../testing/levels.ts'
import { soundOf } from '../testing/sounds.ts'
import { isClipped } from './clipped.ts'

const speech = await soundOf('en-asterisk-1', 6.6, 11.4)
const peak = speech.reduce((max, value) => Math.max(max, Math.abs(value)), 0)

test('speech that is 20 or 30 dB too loud is clipped', () => {
  for (const decibels of [20, 30]) assert.ok(isClipped(clippedBy(speech, decibels)), `${decibels} dB`)
})

test('loud speech is not clipped, nor is silence', () => {
  assert.ok(!isClipped(speech.map((value) => value / peak)))
  assert.ok(!isClipped(clippedBy(speech, 10)))
  assert.ok(!isClipped(new Float32Array(16_000)))
})
