import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STEPS } from './mover/steps.ts'
import { ALL_KILLS } from './moves.ts'

test('the full run kills the mover at every step', () => {
  assert.deepEqual(ALL_KILLS.flat().sort(), [...STEPS].sort())
})
