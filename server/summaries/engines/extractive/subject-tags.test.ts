import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPassages } from './passages.ts'
import { subjectTagsOf } from './subject-tags.ts'
import { unitsOf } from './units.ts'

const SAID: readonly [text: string, tag: string][] = [
  ['We lopen altijd hetzelfde rondje langs het water.', ''],
  ['Mijn rondje met de hond is te kort.', ''],
  ['Ik wil een nachtbus.', 'ronde 2'],
  ['De bus moet later rijden.', 'bus 31'],
]

async function tagsOf(said: readonly [text: string, tag: string][], language: string) {
  const talks = await Promise.all(
    said.map(([text], at) =>
      readPassages([{ id: 'u', start: 0, text }], language, new AbortController().signal, `c${at}`),
    ),
  )
  const { units, rootOf } = unitsOf(talks)
  const join = (words: readonly string[]) => [...words]
  return {
    rootOf,
    tags: subjectTagsOf(units, { rootOf, join }, (id) => [said[Number(id.slice(1))]?.[1] ?? '']),
  }
}

test('a numbered tag counts only if its word was said, not one of the same stem', async () => {
  const { tags, rootOf } = await tagsOf(SAID, 'nl')
  assert.equal(rootOf('ronde', 'nl'), rootOf('rondje', 'nl'))
  assert.deepEqual([...tags.rootsOf('c2')], [])
  assert.deepEqual([...tags.rootsOf('c3')], [rootOf('bus', 'nl')])
})

test('a tag of most conversations is not another word for what most of them are about', async () => {
  const { tags } = await tagsOf(
    [
      ['We need more benches in the park.', 'north'],
      ['I want benches near the pond.', 'north'],
      ['I am against benches, they attract noise.', 'north'],
      ['We also want benches in the park.', 'north'],
      ['More trees, please.', 'north'],
      ['The bus is late.', ''],
    ],
    'en',
  )
  assert.deepEqual(tags.namesOf('c0'), [])
})

test('a tag of some conversations that share a subject is another word for it', async () => {
  const { tags } = await tagsOf(
    [
      ['The bus is late.', 'mobility'],
      ['I want a bus at night.', 'mobility'],
      ['The bus is too expensive.', 'mobility'],
      ['We need more benches.', ''],
      ['Benches near the pond, please.', ''],
      ['The library closes too early.', ''],
    ],
    'en',
  )
  assert.deepEqual(tags.namesOf('c0'), ['mobility'])
})
