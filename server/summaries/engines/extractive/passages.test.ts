import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPassages } from './passages.ts'
import { keywordsOf } from './words/keywords.ts'

const { signal } = new AbortController()

const tagsOf = async (texts: readonly string[], isSlur = (word: string): boolean => word === 'parkster') => {
  const utterances = texts.map((text, start) => ({ id: `u${start}`, start, text }))
  return keywordsOf(await readPassages(utterances, 'en', signal, '', isSlur), 8).map(({ tag }) => tag)
}

test('the mark of unclear words is not a subject', async () => {
  const tags = await tagsOf([
    'He broke the bench, this [unclear].',
    'Those filthy [unclear] broke the bench.',
    'The [unclear] and the bench.',
  ])
  assert.ok(tags.includes('bench'), tags.join())
  assert.ok(!tags.some((tag) => tag.includes('unclear')), tags.join())
})

test('a slur is not a subject, however often it is said', async () => {
  const texts = [
    'That parkster took the bench.',
    'A parkster sat on the bench.',
    'The parkster broke the bench, this Parkster.',
  ]
  const tags = await tagsOf(texts)
  assert.ok(tags.includes('bench'), tags.join())
  assert.ok(!tags.some((tag) => tag.includes('parkster')), tags.join())
  const unlisted = await tagsOf(texts, () => false)
  assert.ok(unlisted.some((tag) => tag.includes('parkster')))
})
