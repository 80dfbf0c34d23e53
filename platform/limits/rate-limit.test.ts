import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/support/properties.ts'
import { createRateLimit } from './rate-limit.ts'

function bucket(perMinute: number, maxKeys?: number) {
  const clock = { at: 1_000_000, now: () => clock.at }
  return { clock, limit: createRateLimit({ perMinute, clock, ...(maxKeys ? { maxKeys } : {}) }) }
}

test('never allows more than the bucket and the elapsed time', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 500 }),
      fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 300 }),
      (perMinute, pauses) => {
        const { clock, limit } = bucket(perMinute)
        const begin = clock.at
        let passed = 0
        for (const pause of pauses) {
          clock.at += pause
          if (limit.take('a') === 0) passed++
        }
        assert.ok(passed <= perMinute + ((clock.at - begin) * perMinute) / 60_000 + 1e-6)
      },
    ),
  )
})

test('allows a request after the returned wait', () => {
  const { clock, limit } = bucket(30)
  while (limit.take('a') === 0);
  clock.at += limit.take('a') * 1000
  assert.equal(limit.take('a'), 0)
})

test('counts keys separately, and takes no tokens when the clock jumps back', () => {
  const { clock, limit } = bucket(1)
  assert.equal(limit.take('a'), 0)
  assert.ok(limit.take('a') > 0)
  assert.equal(limit.take('b'), 0)
  clock.at -= 3_600_000
  assert.equal(limit.take('c'), 0)
})

test('drops the oldest keys instead of growing', () => {
  const { limit } = bucket(1, 10)
  limit.take('first')
  for (let i = 0; i < 10; i++) limit.take(`other ${i}`)
  assert.equal(limit.take('first'), 0)
})
