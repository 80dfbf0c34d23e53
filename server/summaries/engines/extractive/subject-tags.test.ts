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

test('a numbered tag counts only if its word was said, not one of the same stem', async () => {
  const talks = await Promise.all(
    SAID.map(([text], at) =>
      readPassages([{ id: 'u', start: 0, text }], 'nl', new AbortController().signal, `c${at}`),
    ),
  )
  const { units, rootOf } = unitsOf(talks)
  const join = (words: readonly string[]) => [...words]
  const tags = subjectTagsOf(units, { rootOf, join }, (id) => [SAID[Number(id.slice(1))]?.[1] ?? ''])
  assert.equal(rootOf('ronde', 'nl'), rootOf('rondje', 'nl'))
  assert.deepEqual([...tags.rootsOf('c2')], [])
  assert.deepEqual([...tags.rootsOf('c3')], [rootOf('bus', 'nl')])
})
