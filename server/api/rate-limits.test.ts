import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownClock } from '../../test/support/own-clock.ts'
import { createRateLimits } from './rate-limits.ts'

/** As the recording page does it. */
const [PHONES, CHUNK_SECONDS, POLL_SECONDS, REQUESTS_PER_SECOND] = [200, 5, 4, 5]

/** A hall of phones behind one address that record for one project. */
function hall() {
  const clock = ownClock()
  const limits = createRateLimits(
    { perUser: 1_000, failuresPerAddress: 100 },
    { clock, leases: { processes: { count: () => 1 }, ask: () => {} } },
  )
  assert.ok(limits)
  const unsent = Array.from({ length: PHONES }, () => 0)
  let second = 0
  let refused = 0
  const isAllowed = (phone: number): boolean => {
    const waits = [
      limits.participantsPerAddress.take('192.0.2.1'),
      limits.perConversation.take(`conversation ${phone}`),
      limits.perProject.take('project'),
      limits.perWorkspace.take('workspace'),
    ]
    return waits.every((wait) => wait === 0)
  }
  return {
    refused: () => refused,
    unsent: () => unsent.reduce((sum, count) => sum + count, 0),
    pass(seconds: number, isConnected: boolean): void {
      for (let passed = 0; passed < seconds; passed++, second++) {
        clock.advance(1)
        for (let phone = 0; phone < PHONES; phone++) {
          if ((second + phone) % CHUNK_SECONDS === 0) unsent[phone] = (unsent[phone] ?? 0) + 1
          if (!isConnected) continue
          if ((second + phone) % POLL_SECONDS === 0 && !isAllowed(phone)) refused += 1
          for (let sent = 0; sent < REQUESTS_PER_SECOND && (unsent[phone] ?? 0) > 0; sent++) {
            if (isAllowed(phone)) unsent[phone] = (unsent[phone] ?? 0) - 1
            else {
              refused += 1
              break
            }
          }
        }
      }
    },
  }
}

test('200 phones behind one address record for an hour without being limited', () => {
  const phones = hall()
  phones.pass(3_600, true)
  assert.deepEqual([phones.refused(), phones.unsent()], [0, 0])
})

test('200 phones have sent everything five minutes after an outage of ten', () => {
  const phones = hall()
  phones.pass(60, true)
  phones.pass(600, false)
  phones.pass(300, true)
  assert.equal(phones.unsent(), 0)
})
