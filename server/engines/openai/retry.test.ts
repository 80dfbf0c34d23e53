import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/support/properties.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import { backoff, isWorthRetrying, retryAfter } from './retry.ts'

const NOW = Date.parse('2026-02-03T12:00:00Z')

test('reads retry-after in milliseconds, seconds or as a date', () => {
  const cases: [Record<string, string>, number | null][] = [
    [{ 'retry-after-ms': '1500', 'retry-after': '60' }, 1_500],
    [{ 'retry-after-ms': 'soon', 'retry-after': '60' }, 60_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': 'Tue, 03 Feb 2026 12:10:00 GMT' }, 600_000],
    [{ 'retry-after': 'Tue, 03 Feb 2026 11:00:00 GMT' }, null],
    [{ 'retry-after': '-1' }, null],
    [{ 'retry-after': '1e9' }, null],
    [{ 'retry-after': '99999999999999999' }, 86_400_000],
    [{}, null],
  ]
  for (const [headers, ms] of cases) assert.equal(retryAfter(headers, NOW), ms, JSON.stringify(headers))
})

test('the wait is null or at most a day for any header', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (seconds, ms) => {
      const wait = retryAfter({ 'retry-after': seconds, 'retry-after-ms': ms }, NOW)
      assert.ok(wait === null || (wait >= 0 && wait <= 86_400_000))
    }),
  )
})

test('retries 408, 409, 429 and 5xx only', () => {
  for (const status of [408, 409, 429, 500, 502, 503, 504, 529])
    assert.ok(isWorthRetrying(status, {}), String(status))
  for (const status of [301, 400, 401, 403, 404, 413, 422])
    assert.ok(!isWorthRetrying(status, {}), String(status))
})

test('backoff doubles up to eight seconds, with at most a quarter of jitter', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6, 20].map((number) => backoff(number, () => 0)),
    [500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000],
  )
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 30 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (number, random) => {
        const max = backoff(number, () => 0)
        const wait = backoff(number, () => random)
        assert.ok(wait <= max && wait >= max * 0.75)
      },
    ),
  )
})

test('an open circuit breaker allows one trial request; its failure doubles the wait, its success closes the breaker', () => {
  let now = 0
  const breaker = createCircuitBreaker({ now: () => now })
  for (let n = 0; n < 5; n++) {
    assert.equal(breaker.enter(), 0)
    breaker.failed()
  }
  assert.equal(breaker.enter(), 15_000)
  now = 15_000
  assert.equal(breaker.enter(), 0, 'the trial request')
  assert.equal(breaker.enter(), 5_000, 'not a second one')
  breaker.failed()
  assert.equal(breaker.enter(), 30_000)
  now += 30_000
  assert.equal(breaker.enter(), 0)
  breaker.cancelled()
  assert.equal(breaker.enter(), 0, 'a cancelled trial request allows the next')
  breaker.succeeded()
  for (let n = 0; n < 4; n++) breaker.failed()
  assert.equal(breaker.enter(), 0, 'the count restarts')
})

test('the wait of an open circuit breaker doubles up to its maximum', () => {
  let now = 0
  const breaker = createCircuitBreaker({ now: () => now, maxOpenMs: 30_000 })
  for (let n = 0; n < 5; n++) breaker.failed()
  for (const wait of [15_000, 30_000, 30_000, 30_000]) {
    assert.equal(breaker.enter(), wait)
    now += wait
    assert.equal(breaker.enter(), 0)
    breaker.failed()
  }
})

test('failures of requests that were sent before it opened do not prolong the wait', () => {
  let now = 0
  const breaker = createCircuitBreaker({ now: () => now })
  for (let n = 0; n < 5; n++) breaker.failed()
  now = 10_000
  breaker.failed()
  assert.equal(breaker.enter(), 5_000)
})
