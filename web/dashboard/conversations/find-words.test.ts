import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findWords, fromFirstFound, wordsOf } from './find-words.ts'

const found = (text: string, q: string): string[] =>
  findWords(text, wordsOf(q)).map(({ start, end }) => text.slice(start, end))

test('finds words by their beginning, without case and accents', () => {
  assert.deepEqual(found('The Waterfront has no water.', 'water'), ['Waterfront', 'water'])
  assert.deepEqual(found('Un café près du quai', 'CAFE qu'), ['café', 'quai'])
  assert.deepEqual(found('Underwater', 'water'), [])
  assert.deepEqual(found('Water', ''), [])
})

test('a passage begins shortly before the first word that was found', () => {
  const passage = '… our week. And plant the trees between the houses and the stalls, near the water, please.'
  assert.equal(fromFirstFound(passage, ['water'], 16), '… near the water, please.')
  assert.equal(fromFirstFound('Near the water.', ['water'], 16), 'Near the water.', 'what is near stays')
  assert.equal(fromFirstFound(passage, ['fire'], 16), passage, 'nothing was found')
  assert.equal(fromFirstFound(`${'x'.repeat(40)}-water`, ['water'], 16), '… water', 'no space to begin at')
})
