import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/support/properties.ts'
import { nextWait } from './retry-ladder.ts'

/** CONTRACT 5, in seconds: after 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. */
const STEPS = [5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
const DAY_MS = 86_400_000
const NOW = Date.parse('2026-02-03T12:00:00Z')
const wait = (number: number, retryAfter: string | null = null, random = 0.5) =>
  nextWait({ number, retryAfter, now: NOW }, () => random)

test('there are eleven attempts, with the waits of the ladder between them', () => {
  const waits = Array.from({ length: 11 }, (_, index) => wait(index + 1))
  assert.deepEqual(waits, [...STEPS.map((seconds) => seconds * 1000), null])
})

test('a wait is never more than a fifth off its step', () => {
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

test('Retry-After is a floor of at most a day, and nonsense asks for nothing', () => {
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
    // The wrong day of the week is no reason to come back at once.
    ['Mon, 03 Feb 2026 12:10:00 GMT', 600_000],
    ['Tuesday, 03-Feb-26 12:10:00 GMT', 600_000],
    ['2026', 2_026_000],
    [' 120 ', 120_000],
  ]
  for (const [header, ms] of cases) assert.equal(wait(1, header), ms, header)
})

test('whatever a receiver sends, the wait is a number between its step and a day and a fifth', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 10 }), (header, number) => {
      const ms = wait(number, header) as number
      assert.ok(ms >= (STEPS[number - 1] as number) * 800 && ms <= DAY_MS * 1.2, String(ms))
    }),
  )
})
