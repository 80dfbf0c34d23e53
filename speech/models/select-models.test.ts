import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selectModels } from './select-models.ts'

const GIBIBYTE = 2 ** 30

test('auto transcribes with the fast models, and again with the small one if it is installed and memory suffices', () => {
  const secondWith = (memory: number, isInstalled: boolean) => {
    const { size, english, second } = selectModels('auto', memory * GIBIBYTE, isInstalled)
    assert.deepEqual([size, english], ['base', 'moonshine'])
    return second?.size ?? null
  }
  assert.equal(secondWith(16, true), 'small')
  assert.equal(secondWith(16, false), null)
  assert.equal(secondWith(3, true), null)
})

test('runs no second pass with an explicitly configured model', () => {
  assert.equal(selectModels('base', 64 * GIBIBYTE, true).second, null)
  assert.equal(selectModels('small', 64 * GIBIBYTE, true).second, null)
})

test('small transcribes English, too; base leaves English to the fast model', () => {
  const { size, english } = selectModels('small', 4 * GIBIBYTE, false)
  assert.deepEqual([size, english], ['small', 'whisper'])
  assert.equal(selectModels('base', 64 * GIBIBYTE, true).size, 'base')
  assert.equal(selectModels('base').english, 'moonshine')
})
