import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDoubtful } from './confidence.ts'

const wordsWith = (...confidences: number[]) => ({
  words: confidences.map((confidence) => ({ text: 'word', confidence })),
})

test('a phrase of a few words is doubtful if one of them was hardly believed', () => {
  assert.ok(isDoubtful(wordsWith(0.05)))
  assert.ok(isDoubtful(wordsWith(0.9, 0.95, 0.09)))
})

test('other phrases are not doubtful', () => {
  assert.ok(!isDoubtful(wordsWith()))
  assert.ok(!isDoubtful(wordsWith(0.2, 0.9)))
  // In a long phrase, one wrong word does not make the others doubtful.
  assert.ok(!isDoubtful(wordsWith(0.9, 0.05, 0.9, 0.9)))
})
