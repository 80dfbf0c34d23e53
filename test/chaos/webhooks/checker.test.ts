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
  const { violations } = findingsAfter(change, faults)
  return Object.keys(violations).filter((name) => violations[name]?.length)
}

describe('checker of the webhooks scenario', () => {
  const repeated =
    (afterMs: number): Change =>
    ({ received }) =>
      received.push(request({ at: (START + 100 + afterMs) / 1000 }))
  const retry = (attempt: number, afterSeconds: number) =>
    failed({ attempt, at: (START + 100) / 1000 + afterSeconds })

  const replace =
    (request: Received): Change =>
    ({ received }) =>
      received.splice(request.receiver - 1, 1, request)
  const receive =
    (...requests: Received[]): Change =>
    ({ received }) =>
      received.push(...requests)
  const deliverAgain =
    (id: string, more: object = {}): Change =>
    ({ deliveries, attempts }) => {
      deliveries.push({ ...delivery(2, 'pending'), id, ...more })
      attempts.push({ ...attempt(2, 500), delivery_id: id })
    }
  const replay = { kind: 'replay', replay_id: 'r' }
  const other = { key: 'report.generated/r9', event: 'e9' }

  /** By the violations that the checker must find. */
  const cases: Record<string, Record<string, Change>> = {
    '': {
      'in correct evidence': () => {},
      'in a retry on schedule': receive(retry(2, 4.1)),
    },
    'lost, succeeded without 2xx': {
      'an event that never arrived': ({ received }) => received.shift(),
      'an event that was not accepted': replace(request({ status: 500 })),
    },
    'never committed': {
      'an event that was rolled back': receive(request({ ...other, delivery: 'd9' })),
      'an event row without its change of state': ({ events }) =>
        events.push({ id: other.event, key: other.key, project_id: 'p' }),
    },
    'lost, wrong signature': { 'a wrong signature': replace(request({ problems: ['signature'] })) },
    'different bytes': { 'changed bytes': replace(failed({ sha: 'bb' })) },
    'not exactly one event': {
      'two events for one change of state': receive(failed({ event: 'e2', delivery: 'd3' })),
    },
    'not exactly one delivery': {
      'a missing delivery': ({ deliveries }) => deliveries.pop(),
      'a duplicate delivery': deliverAgain('d3'),
    },
    'replayed twice': {
      'an event that a replay repeats twice': (evidence) => {
        for (const id of ['d3', 'd4']) deliverAgain(id, replay)(evidence)
      },
    },
    'not succeeded': {
      'a delivery that stays pending': ({ deliveries }) => deliveries.splice(0, 1, delivery(1, 'pending')),
    },
    'attempt not logged': { 'an attempt that is not logged': ({ attempts }) => attempts.shift() },
    'unknown path': {
      'a redirect that was followed': ({ unknownPaths }) =>
        unknownPaths.push({ unknown_path: '/followed/2', at: 1 }),
    },
    'wrong attempt number, unexplained duplicate': { 'a repeat without a fault': repeated(40) },
    'wrong attempt number': {
      'an attempt number that decreases without a fault': receive(retry(3, 200), retry(2, 300)),
    },
    'retried too early': {
      'a first retry that is early': receive(retry(2, 3.9)),
      'a second retry that is early': receive(retry(2, 5), retry(3, 50)),
    },
  }
  for (const [violations, changes] of Object.entries(cases))
    for (const [name, change] of Object.entries(changes))
      it(`finds ${violations === '' ? 'nothing ' : ''}${name}`, () =>
        assert.equal(violationsAfter(change).join(', '), violations))

  it('finds a repeat after the success was recorded, whatever crashed', () =>
    assert.deepEqual(violationsAfter(repeated(11_000), [fault('kill dispatcher', 200, 201)]), [
      'unexplained duplicate',
    ]))

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
