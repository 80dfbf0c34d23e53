import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/support/properties.ts'
import { nextWait } from './retry-schedule.ts'

/** docs/webhooks.md, "Retries", in seconds: 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. */
const STEPS = [5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
const DAY_MS = 86_400_000
const NOW = Date.parse('2026-02-03T12:00:00Z')
const END_MS = 76 * 3_600_000
/** With the whole 76 hours left, so that the expiry does not matter. */
const wait = (number: number, retryAfter: string | null = null, random = 0.5) =>
  nextWait({ number, retryAfter, now: NOW, leftMs: END_MS }, () => random)

test('makes eleven attempts with the waits of the retry schedule between them', () => {
  const waits = Array.from({ length: 11 }, (_, index) => wait(index + 1))
  assert.deepEqual(waits, [...STEPS.map((seconds) => seconds * 1000), null])
})

test('jitter changes a wait by at most a fifth', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 }),
      fc.double({ min: 0, max: 0.999999, noNaN: true }),
      (number, random) => {
        const step = (STEPS[number - 1] as number) * 1000
        const ms = wait(number, null, random) as number
        assert.ok(ms >= step * 0.8 - 1 && ms <= step * 1.2 + 1, `${ms} for ${step}`)
      },
    ),
  )
})

test('Retry-After is a minimum of at most a day, and invalid values are ignored', () => {
  const first = 5_000
  const cases: [string, number][] = [
    ['120', 120_000],
    ['0', first],
    ['1', first],
    ['-1', first],
    ['1e99', first],
    ['1.5', first],
    ['', first],
    ['soon', first],
    ['99999999999999999999', DAY_MS],
    ['Thu, 01 Jan 1970 00:00:00 GMT', first],
    ['Fri, 31 Dec 9999 23:59:59 GMT', DAY_MS],
    ['Tue, 03 Feb 2026 12:10:00 GMT', 600_000],
    // The wrong day of the week does not make a date invalid.
    ['Mon, 03 Feb 2026 12:10:00 GMT', 600_000],
    ['Tuesday, 03-Feb-26 12:10:00 GMT', 600_000],
    ['2026', 2_026_000],
    [' 120 ', 120_000],
  ]
  for (const [header, ms] of cases) assert.equal(wait(1, header), ms, header)
})

test('any Retry-After leads to a wait between the scheduled one and a day and a fifth', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 10 }), (header, number) => {
      const ms = wait(number, header) as number
      assert.ok(ms >= (STEPS[number - 1] as number) * 800 && ms <= DAY_MS * 1.2, String(ms))
    }),
  )
})

const MIN_15 = 15 * 60_000

interface SimulatedAttempt {
  at: number
  /** How long after the previous attempt's end it was due, and that wait without jitter. */
  waited: number
  step: number
}

/**
 * A delivery to a receiver that always fails. `delays` are added before each attempt: the sweep, or an open circuit breaker.
 */
function simulate(
  randoms: number[],
  durations: number[],
  delays: number[],
  retryAfter: string | null = null,
) {
  const attempts: SimulatedAttempt[] = [{ at: 0, waited: 0, step: 0 }]
  for (let now = 0; ; ) {
    const number = attempts.length
    now += durations[number - 1] ?? 0
    const failure = { number, retryAfter, now: NOW + now, leftMs: END_MS - now }
    const waited = nextWait(failure, () => randoms[number - 1] ?? 0.5)
    if (waited === null) return attempts
    now += waited + (delays[number - 1] ?? 0)
    if (now >= END_MS) return attempts
    attempts.push({ at: now, waited, step: (STEPS[number - 1] ?? 0) * 1000 })
  }
}

const elevenOf = (most: number) =>
  fc.array(fc.double({ min: 0, max: most, noNaN: true }), { minLength: 11, maxLength: 11 })
/** A jitter in [0, 1), where both ends are as likely as all between. */
const jitters = fc.array(
  fc.oneof(fc.constant(0), fc.constant(0.999999), fc.double({ min: 0, max: 0.999999, noNaN: true })),
  { minLength: 11, maxLength: 11 },
)

test('a dead receiver gets exactly 11 attempts, the last one before the 76 hours end', () => {
  fc.assert(
    fc.property(jitters, elevenOf(15_000), (randoms, durations) => {
      const attempts = simulate(randoms, durations, [])
      assert.equal(attempts.length, 11)
      const last = attempts.at(-1)?.at ?? 0
      assert.ok(last <= END_MS - 10 * 60_000, `the last attempt at ${last / 3_600_000} h`)
      for (const { at, waited, step } of attempts.slice(1)) {
        const isLatest = Math.abs(at - (END_MS - MIN_15)) <= 1
        assert.ok(isLatest || waited >= step * 0.8 - 1, `${waited} ms instead of ${step} ms`)
        assert.ok(waited <= step * 1.2 + 1)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('an open circuit breaker that delays each attempt by up to 10 minutes costs none of the 11', () => {
  fc.assert(
    fc.property(jitters, elevenOf(15_000), elevenOf(610_000), (randoms, durations, delays) => {
      assert.equal(simulate(randoms, durations, delays).length, 11)
    }),
    { numRuns: 2_000 },
  )
})

test('a Retry-After beyond the 76 hours still leads to one attempt before their end', () => {
  fc.assert(
    fc.property(jitters, fc.integer({ min: 1, max: 200_000 }), (randoms, seconds) => {
      const attempts = simulate(randoms, [], [], String(seconds))
      const last = attempts.at(-1)?.at ?? 0
      assert.ok(attempts.length === 11 || Math.abs(last - (END_MS - MIN_15)) <= 1, `${last}`)
      assert.ok(last < END_MS)
    }),
  )
})

test('in the last 15 minutes, retries only if the wait ends before the delivery expires', () => {
  const left = (leftMs: number, number: number) =>
    nextWait({ number, retryAfter: null, now: NOW, leftMs }, () => 0.5)
  assert.equal(left(10_000, 1), 5_000)
  assert.equal(left(4_000, 1), null)
  assert.equal(left(MIN_15 - 1, 4), null)
  assert.equal(left(MIN_15 + 60_000, 4), 60_000)
})
