import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Fault } from '../framework/fault-schedule.ts'
import { check, type Findings } from './checker.ts'
import type { Evidence } from './evidence.ts'
import { FREEZE } from './faults.ts'
import type { Received } from './receiver.ts'
import type { Subscription } from './subscriptions.ts'

/** One event for two receivers: the healthy one accepted it, the faulty one did not. */
const START = 1_800_000_000_000
const KEY = 'report.generated/r1'

const SUBSCRIPTIONS = (['ok', 'error'] as const).map(
  (behaviour, index): Subscription => ({
    number: index + 1,
    behaviour,
    secret: 'x',
    payload: 'full',
    events: ['report.generated'],
    webhookId: `w${index + 1}`,
    projectId: 'p',
    since: START - 1000,
  }),
)

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
const failed = (more: Partial<Received> = {}): Received =>
  request({ receiver: 2, delivery: 'd2', status: 500, ...more })

const delivery = (number: number, status: string, finished: number | null = null) => ({
  id: `d${number}`,
  webhook_id: `w${number}`,
  event_id: 'e1',
  kind: 'event',
  status,
  attempts: 1,
  replay_id: null,
  finished,
})

const attempt = (number: number, status: number) => ({
  delivery_id: `d${number}`,
  webhook_id: `w${number}`,
  number: 1,
  status,
  error: null,
})

const newEvidence = (): Evidence => ({
  ledger: [{ key: KEY, project_id: 'p', began: START }],
  events: [{ id: 'e1', key: KEY, project_id: 'p' }],
  deliveries: [delivery(1, 'succeeded', START + 150), delivery(2, 'pending')],
  attempts: [attempt(1, 200), attempt(2, 500)],
  received: [request(), failed()],
  unknownPaths: [],
})

const fault = (kind: string, from: number, until: number): Fault => ({
  kind,
  target: 'dispatcher-1',
  from: START + from,
  until: START + until,
})

type Change = (evidence: Evidence) => unknown

function findingsAfter(change: Change, faults: Fault[] = []): Findings {
  const evidence = newEvidence()
  change(evidence)
  return check(evidence, SUBSCRIPTIONS, faults)
}

function violationsAfter(change: Change, faults: Fault[] = []): string[] {
  const { violations, duplicates } = findingsAfter(change, faults)
  const all = { ...violations, 'unexplained duplicate': duplicates.unexplained }
  return Object.entries(all).flatMap(([name, list]) => (list.length > 0 ? [name] : []))
}

describe('checker of the webhooks scenario', () => {
  const repeated =
    (afterMs: number): Change =>
    ({ received }) =>
      received.push(request({ at: (START + 100 + afterMs) / 1000 }))
  const retry = (attempt: number, afterSeconds: number) =>
    failed({ attempt, at: (START + 100) / 1000 + afterSeconds })

  const cases: [name: string, expected: string[], change: Change, faults?: Fault[]][] = [
    ['nothing in correct evidence', [], () => {}],
    ['an event that never arrived', ['lost', 'succeeded without 2xx'], ({ received }) => received.shift()],
    [
      'an event that was not accepted',
      ['lost', 'succeeded without 2xx'],
      ({ received }) => received.splice(0, 1, request({ status: 500 })),
    ],
    [
      'an event that was rolled back',
      ['never committed'],
      ({ received }) => received.push(request({ key: 'report.generated/r9', event: 'e9', delivery: 'd9' })),
    ],
    [
      'an event row without its change of state',
      ['never committed'],
      ({ events }) => events.push({ id: 'e9', key: 'report.generated/r9', project_id: 'p' }),
    ],
    [
      'a wrong signature',
      ['lost', 'wrong signature'],
      ({ received }) => received.splice(0, 1, request({ problems: ['signature'] })),
    ],
    ['changed bytes', ['different bytes'], ({ received }) => received.splice(1, 1, failed({ sha: 'bb' }))],
    [
      'two events for one change of state',
      ['not exactly one event'],
      ({ received }) => received.push(failed({ event: 'e2', delivery: 'd3' })),
    ],
    ['a missing delivery', ['not exactly one delivery'], ({ deliveries }) => deliveries.pop()],
    [
      'a duplicate delivery',
      ['not exactly one delivery'],
      ({ deliveries, attempts }) => {
        deliveries.push({ ...delivery(2, 'pending'), id: 'd3' })
        attempts.push({ ...attempt(2, 500), delivery_id: 'd3' })
      },
    ],
    [
      'an event that a replay repeats twice',
      ['replayed twice'],
      ({ deliveries, attempts }) => {
        for (const id of ['d3', 'd4']) {
          deliveries.push({ ...delivery(2, 'pending'), id, kind: 'replay', replay_id: 'r' })
          attempts.push({ ...attempt(2, 500), delivery_id: id })
        }
      },
    ],
    [
      'a delivery that stays pending',
      ['not succeeded'],
      ({ deliveries }) => deliveries.splice(0, 1, delivery(1, 'pending')),
    ],
    ['an attempt that is not logged', ['attempt not logged'], ({ attempts }) => attempts.shift()],
    [
      'a redirect that was followed',
      ['unknown path'],
      ({ unknownPaths }) => unknownPaths.push({ unknown_path: '/followed/2', at: 1 }),
    ],
    ['a repeat without a fault', ['wrong attempt number', 'unexplained duplicate'], repeated(40)],
    [
      'a repeat after the success was recorded, whatever crashed',
      ['unexplained duplicate'],
      repeated(11_000),
      [fault('kill dispatcher', 200, 201)],
    ],
    [
      'an attempt number that decreases without a fault',
      ['wrong attempt number'],
      ({ received }) => received.push(retry(3, 200), retry(2, 300)),
    ],
    ['nothing in a retry on schedule', [], ({ received }) => received.push(retry(2, 4.1))],
    ['a first retry that is early', ['retried too early'], ({ received }) => received.push(retry(2, 3.9))],
    [
      'a second retry that is early',
      ['retried too early'],
      ({ received }) => received.push(retry(2, 5), retry(3, 50)),
    ],
  ]
  for (const [name, expected, change, faults] of cases)
    it(`finds ${name}`, () => assert.deepEqual(violationsAfter(change, faults), expected))

  it('explains a repeat by a kill before the success was recorded', () => {
    const { duplicates } = findingsAfter(
      (evidence) => {
        repeated(11_000)(evidence)
        evidence.deliveries.splice(0, 1, delivery(1, 'succeeded', START + 11_150))
      },
      [fault('kill dispatcher', 110, 111)],
    )
    assert.deepEqual([duplicates.explained, duplicates.unexplained], [1, []])
  })

  it('explains a repeat by a process that was stopped, and only shortly after it continues', () => {
    const frozen = [fault(FREEZE, 50, 11_000)]
    assert.deepEqual(findingsAfter(repeated(11_000), frozen).duplicates, {
      explained: 0,
      afterFreeze: 1,
      unexplained: [],
    })
    assert.equal(findingsAfter(repeated(14_000), frozen).duplicates.unexplained.length, 1)
  })
})
