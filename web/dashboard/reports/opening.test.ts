import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aroundQuotations, isAdded } from './opening.ts'

const source = { conversation_id: 'c1', start_ms: 1 }
const said = { key: 'a', text: 'More trees.', sources: [source], edited: false }
const corrected = { key: 'b', text: 'More trees!', sources: [source], edited: true }
const added = { key: 'c', text: 'We will plant ten.', sources: [], edited: true }

test('the sentences of an extract follow its quotations, except what a member added at the beginning', () => {
  const paragraphs = [added, corrected, added, said]
  assert.deepEqual(aroundQuotations(paragraphs, 'extractive', isAdded), [[added], [corrected, added, said]])
})

test('the paragraphs of a written report stay before its quotations', () => {
  assert.deepEqual(aroundQuotations([said, added], 'generative', isAdded), [[said, added], []])
})
