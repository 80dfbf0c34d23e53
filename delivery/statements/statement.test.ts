import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statement } from './statement.ts'

test('turns named parameters into numbered ones and leaves casts alone', () => {
  const { text, valuesOf } = statement<{ id: string; tiers: string[] }>(
    'name',
    'select :id::uuid, :tiers::text[] from t where id = :id',
  )
  assert.equal(text, 'select $1::uuid, $2::text[] from t where id = $1')
  assert.deepEqual(valuesOf({ tiers: ['free'], id: 'a' }), ['a', ['free']])
})
