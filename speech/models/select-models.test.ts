import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selectModels } from './select-models.ts'

const GIBIBYTE = 2 ** 30

test('auto uses the small model if it is installed and memory suffices', () => {
  const sizeWith = (memory: number, isInstalled: boolean) =>
    selectModels('auto', memory * GIBIBYTE, isInstalled).size
  assert.equal(sizeWith(16, true), 'small')
  assert.equal(sizeWith(16, false), 'base')
  assert.equal(sizeWith(4, true), 'small')
  assert.equal(sizeWith(3, true), 'base')
})

test('small transcribes English, too; base leaves English to the fast model', () => {
  const { size, english } = selectModels('small', 4 * GIBIBYTE, false)
  assert.deepEqual([size, english], ['small', 'whisper'])
  assert.equal(selectModels('base', 64 * GIBIBYTE, true).size, 'base')
  assert.equal(selectModels('base').english, 'moonshine')
})
