import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { judge, type Verdict } from './checker.ts'
import type { Evidence } from './evidence.ts'
import type { Received } from './receiver.ts'
import type { Fault } from './storm.ts'
import type { Subscription } from './subscriptions.ts'

/** Two receivers, one of them hostile, and one event that reached both. */
const START = 1_800_000_000_000
const KEY = 'report.generated/r1'

const subscription = (number: number, behaviour: 'ok' | 'error'): Subscription => ({
  number,
  behaviour,
  secret: 'x',
  payload: 'full',
  events: ['report.generated'],
  webhookId: `w${number}`,
  projectId: 'p',
  since: START - 1000,
})
const SUBSCRIPTIONS = [subscription(1, 'ok'), subscription(2, 'error')]

const request = (more: Partial<Received> = {}): Received => ({
  receiver: 1,
  at: (START + 100) / 1000,
  part: 'whole',
  event: 'e1',
  delivery: 'd1',
  attempt: 1,
  sha: 'aa',
  length: 2,
  key: KEY,
  problems: [],
  status: 200,
  ...more,
})

const delivery = (number: number, status: string): Evidence['deliveries'][number] => ({
  id: `d${number}`,
  webhook_id: `w${number}`,
  event_id: 'e1',
  kind: 'event',
  status,
  attempts: 1,
  replay_id: null,
  finished: status === 'succeeded' ? START + 150 : null,
})

const attempt = (number: number, status: number) => ({
  delivery_id: `d${number}`,
  webhook_id: `w${number}`,
  number: 1,
  status,
  error: null,
})

const allWell = (): Evidence => ({
  ledger: [{ key: KEY, project_id: 'p', began: START }],
  events: [{ id: 'e1', key: KEY, project_id: 'p' }],
  deliveries: [delivery(1, 'succeeded'), delivery(2, 'pending')],
  attempts: [attempt(1, 200), attempt(2, 500)],
  received: [request(), request({ receiver: 2, delivery: 'd2', status: 500 })],
  strays: [],
})

const fault = (kind: Fault['kind'], from: number, until: number): Fault => ({
  kind,
  target: 'dispatcher-1',
  from: START + from,
  until: START + until,
})

function verdictOf(change: (evidence: Evidence) => void, faults: Fault[] = []): Verdict {
  const evidence = allWell()
  change(evidence)
  return judge(evidence, SUBSCRIPTIONS, faults)
}

function found(change: (evidence: Evidence) => void, faults: Fault[] = []): string[] {
  const { violations, duplicates } = verdictOf(change, faults)
  const names = Object.entries(violations).flatMap(([name, list]) => (list.length > 0 ? [name] : []))
  return duplicates.unexplained.length > 0 ? [...names, 'unexplained duplicate'] : names
}

describe('the checker', () => {
  it('finds nothing where all is well', () =>
    assert.deepEqual(
      found(() => {}),
      [],
    ))

  const cases: [name: string, expected: string[], change: (evidence: Evidence) => void][] = [
    [
      'an event that never arrived',
      ['lost', 'succeeded without 2xx'],
      ({ received }) => received.splice(0, 1),
    ],
    [
      'an event that was only refused',
      ['lost', 'succeeded without 2xx'],
      ({ received }) => received.splice(0, 1, request({ status: 500 })),
    ],
    [
      'an event that was rolled back',
      ['ghost'],
      ({ received }) => received.push(request({ key: 'report.generated/r9', event: 'e9', delivery: 'd9' })),
    ],
    [
      'an event row without its change',
      ['ghost'],
      ({ events }) => events.push({ id: 'e9', key: 'report.generated/r9', project_id: 'p' }),
    ],
    [
      'a wrong signature',
      ['lost', 'wrong signature'],
      ({ received }) => received.splice(0, 1, request({ problems: ['signature'] })),
    ],
    [
      'bytes that changed',
      ['other bytes'],
      ({ received }) =>
        received.splice(1, 1, request({ receiver: 2, delivery: 'd2', status: 500, sha: 'bb' })),
    ],
    [
      'one change told as two events',
      ['more than one event'],
      ({ received }) => received.push(request({ receiver: 2, event: 'e2', delivery: 'd3', status: 500 })),
    ],
    [
      'a delivery that was never made',
      ['not exactly one delivery'],
      ({ deliveries }) => deliveries.splice(1, 1),
    ],
    [
      'a delivery that hangs',
      ['not succeeded'],
      ({ deliveries }) => deliveries.splice(0, 1, delivery(1, 'pending')),
    ],
    ['an attempt that nobody logged', ['without attempt'], ({ attempts }) => attempts.splice(0, 1)],
    [
      'a redirect that was followed',
      ['wrong place'],
      ({ strays }) => strays.push({ stray: '/followed/2', at: 1 }),
    ],
  ]
  for (const [name, expected, change] of cases)
    it(`finds ${name}`, () => assert.deepEqual(found(change).sort(), expected))

  const again =
    (after: number, attempt = 1) =>
    (evidence: Evidence) =>
      void evidence.received.push(request({ at: (START + 100 + after) / 1000, attempt }))

  it('finds a repeat without a fault', () =>
    assert.deepEqual(found(again(40)), ['attempt number', 'unexplained duplicate']))

  it('finds a repeat after the record of a success, whatever died', () =>
    assert.deepEqual(found(again(11_000), [fault('kill dispatcher', 200, 201)]), ['unexplained duplicate']))

  it('explains a repeat by a kill before the record', () => {
    const { duplicates } = verdictOf(
      (evidence) => {
        again(11_000)(evidence)
        evidence.deliveries.splice(0, 1, { ...delivery(1, 'succeeded'), finished: START + 11_150 })
      },
      [fault('kill dispatcher', 110, 111)],
    )
    assert.deepEqual([duplicates.explained, duplicates.unexplained], [1, []])
  })

  it('explains a repeat by a process that was frozen with it in hand, and only just after it wakes', () => {
    const frozen = [fault('stop past the lease', 50, 11_000)]
    assert.deepEqual(verdictOf(again(11_000), frozen).duplicates, {
      explained: 0,
      afterAwakening: 1,
      unexplained: [],
    })
    assert.equal(verdictOf(again(14_000), frozen).duplicates.unexplained.length, 1)
  })

  const refused = (attempt: number, after: number) =>
    request({ receiver: 2, delivery: 'd2', status: 500, attempt, at: (START + 100) / 1000 + after })

  it('finds an attempt number that falls without a fault', () =>
    assert.deepEqual(
      found(({ received }) => received.push(refused(3, 200), refused(2, 300))),
      ['attempt number'],
    ))

  it('finds a retry that came before its time', () => {
    assert.deepEqual(
      found(({ received }) => received.push(refused(2, 4.1))),
      [],
    )
    assert.deepEqual(
      found(({ received }) => received.push(refused(2, 3.9))),
      ['retried too early'],
    )
    assert.deepEqual(
      found(({ received }) => received.push(refused(2, 5), refused(3, 50))),
      ['retried too early'],
    )
  })
})
