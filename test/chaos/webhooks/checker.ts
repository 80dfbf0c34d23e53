import { countBy, listCounts, type Row, type Violations } from '../framework/chaos-run.ts'
import type { Fault } from '../framework/fault-schedule.ts'
import type { DeliveryRow, Evidence } from './evidence.ts'
import { FREEZE } from './faults.ts'
import type { Received } from './receiver.ts'
import type { Subscription } from './subscriptions.ts'

/** Allows for rounding, and for a commit that follows its own timestamp. */
const TOLERANCE_MS = 500
/** The service closes a connection that a black hole silenced after 12 to 13 s. */
const SILENCE_MS = 14_000
/** A process that continues after a stop sends its claimed deliveries without delay. */
const RESUME_MS = 2_000
/** Before the second, third, … attempt. Later attempts fall outside of a run. */
const RETRY_SECONDS = [5, 60, 300]

export interface Findings {
  rows: Row[]
  duplicates: { explained: number; afterFreeze: number; unexplained: string[] }
  /** For each event and healthy receiver: when its transaction began and when it was first received, in ms since 1970. */
  receipts: { began: number; at: number }[]
  violations: Violations
}

/** An event, and a receiver that must get it. */
interface Pair {
  subscription: Subscription
  key: string
  began: number
}

/** Compares the three sources of evidence, without any code of the service. */
export function check(
  evidence: Evidence,
  subscriptions: readonly Subscription[],
  faults: readonly Fault[],
): Findings {
  const { received, deliveries, attempts } = evidence
  const byWebhook = new Map(subscriptions.map((one) => [one.webhookId, one]))
  const isHealthy = (id: string) => byWebhook.get(id)?.behaviour === 'ok'
  const { true: owed = [], false: owedToFaulty = [] } = Object.groupBy(
    subscriptions.flatMap((subscription) => eventsOwedTo(subscription, evidence)),
    ({ subscription }) => `${subscription.behaviour === 'ok'}` as const,
  )
  const receipts = firstReceipts(evidence)
  const receiptOf = ({ subscription, key }: Pair) => receipts.get(`${subscription.number} ${key}`)

  const lost = owed
    .filter((pair) => receiptOf(pair) === undefined)
    .map(({ subscription, key }) => `${key} at receiver ${subscription.number}`)
  const neverCommitted = findUncommitted(evidence)
  const wrongSignatures = received
    .filter(({ problems }) => problems.length > 0)
    .map(
      ({ receiver, delivery, problems }) => `${problems.join(', ')} of ${delivery} at receiver ${receiver}`,
    )
  const duplicates = explainDuplicates(evidence, faults)
  const failedAtHealthy = countBy(
    attempts.filter(({ webhook_id, status }) => isHealthy(webhook_id) && status !== 200),
    ({ status, error }) => `${status ?? ''} ${error ?? ''}`.trim(),
  )
  const acceptedByFaulty = owedToFaulty.filter((pair) => receiptOf(pair) !== undefined).length

  return {
    rows: [
      ['events committed', evidence.ledger.length],
      ['deliveries owed to healthy receivers', owed.length],
      ['deliveries to faulty receivers, accepted so far', `${owedToFaulty.length}, ${acceptedByFaulty}`],
      ['requests received', received.filter(({ part }) => part !== 'body').length],
      ['lost', lost.length],
      ['never committed', neverCommitted.length],
      ['wrong signature', wrongSignatures.length],
      ['duplicates explained by a fault', duplicates.explained],
      ['duplicates sent by a process that was stopped', duplicates.afterFreeze],
      ['duplicates, unexplained', duplicates.unexplained.length],
      ['failed attempts at healthy receivers', listCounts(failedAtHealthy)],
    ],
    duplicates,
    receipts: owed.map((pair) => ({ began: pair.began, at: receiptOf(pair) ?? Number.POSITIVE_INFINITY })),
    violations: {
      lost,
      'never committed': neverCommitted,
      'wrong signature': wrongSignatures,
      'different bytes': findDifferentBytes(evidence, subscriptions),
      'not exactly one event': findDuplicateEvents(evidence),
      'not exactly one delivery': findWrongDeliveries(evidence, [...owed, ...owedToFaulty]),
      'succeeded without 2xx': findFalseSuccesses(evidence),
      'not succeeded': deliveries
        .filter(({ webhook_id, status }) => isHealthy(webhook_id) && status !== 'succeeded')
        .map(({ id, status, webhook_id }) => `${id} is ${status} for ${byWebhook.get(webhook_id)?.number}`),
      'attempt not logged': findUnloggedAttempts(evidence),
      'wrong attempt number': findWrongNumbers(evidence, faults),
      'retried too early': findEarlyRetries(evidence),
      'replayed twice': findDuplicateReplays(evidence),
      'unknown path': evidence.unknownPaths.map(({ unknown_path }) => unknown_path),
      'unexplained duplicate': duplicates.unexplained,
    },
  }
}

const isAccepted = ({ status, part }: Received): boolean => status >= 200 && status < 300 && part !== 'body'

/** When each receiver first accepted each event. A head without a body names the event by its id alone. */
function firstReceipts({ events, received }: Evidence): Map<string, number> {
  const keys = new Map(events.map(({ id, key }) => [id, key]))
  const first = new Map<string, number>()
  for (const request of received) {
    if (!isAccepted(request) || request.problems.length > 0) continue
    const pair = `${request.receiver} ${request.key ?? keys.get(request.event)}`
    first.set(pair, Math.min(first.get(pair) ?? Number.POSITIVE_INFINITY, request.at * 1000))
  }
  return first
}

/** Every committed event of its project and its event types that began after it was subscribed. */
const eventsOwedTo = (subscription: Subscription, { ledger }: Evidence): Pair[] =>
  ledger
    .filter(
      ({ key, project_id, began }) =>
        project_id === subscription.projectId &&
        began > subscription.since &&
        subscription.events.includes(key.split('/')[0] ?? ''),
    )
    .map(({ key, began }) => ({ subscription, key, began }))

/** Events that have a row or were sent, but whose transaction did not commit. */
function findUncommitted({ ledger, events, received }: Evidence): string[] {
  const committed = new Set(ledger.map(({ key }) => key))
  const known = new Set([
    ...events.map(({ key }) => key),
    ...received.flatMap(({ key, part }) => (part === 'head' ? [] : [key ?? 'nothing'])),
  ])
  return [...known].filter((key) => !committed.has(key))
}

/** An event has the same bytes for each kind of payload, at every attempt and every receiver. */
function findDifferentBytes({ received }: Evidence, subscriptions: readonly Subscription[]): string[] {
  const payloads = new Map(subscriptions.map(({ number, payload }) => [number, payload]))
  const bytes = new Map<string, string>()
  return received.flatMap(({ event, receiver, sha }) => {
    if (sha === null) return []
    const name = `${event} ${payloads.get(receiver)}`
    const before = bytes.get(name) ?? sha
    bytes.set(name, before)
    return before === sha ? [] : [`${name} at receiver ${receiver}`]
  })
}

/** A change of state that was emitted twice is still one event. */
function findDuplicateEvents({ ledger, events, received }: Evidence): string[] {
  const ids = new Map<string, Set<string>>(ledger.map(({ key }) => [key, new Set()]))
  for (const { key, id } of events) ids.get(key)?.add(id)
  for (const { key, event } of received) if (key !== null) ids.get(key)?.add(event)
  return [...ids].filter(([, set]) => set.size !== 1).map(([key, set]) => `${key} has ${set.size}`)
}

function findWrongDeliveries({ events, deliveries }: Evidence, owed: Pair[]): string[] {
  const keys = new Map(events.map(({ id, key }) => [id, key]))
  const counts = countBy(
    deliveries.filter(({ kind }) => kind === 'event'),
    ({ webhook_id, event_id }) => `${webhook_id} ${keys.get(event_id)}`,
  )
  return owed.flatMap(({ subscription, key }) => {
    const count = counts.get(`${subscription.webhookId} ${key}`) ?? 0
    return count === 1 ? [] : [`${count} of ${key} for receiver ${subscription.number}`]
  })
}

/** Deliveries that the service marked as succeeded, but that no receiver accepted. */
function findFalseSuccesses({ deliveries, received }: Evidence): string[] {
  const accepted = new Set(received.filter(isAccepted).map(({ delivery }) => delivery))
  return deliveries.flatMap(({ id, status }) => (status === 'succeeded' && !accepted.has(id) ? [id] : []))
}

function findUnloggedAttempts({ deliveries, attempts }: Evidence): string[] {
  const rows = countBy(attempts, ({ delivery_id }) => delivery_id)
  return deliveries.flatMap(({ id, status, attempts: counted }) => {
    const logged = rows.get(id) ?? 0
    const isComplete = logged === counted && (status !== 'succeeded' || logged > 0)
    return isComplete ? [] : [`${id} counts ${counted}, logged ${logged}`]
  })
}

function findDuplicateReplays({ deliveries }: Evidence): string[] {
  const counts = countBy(
    deliveries.filter(({ replay_id }) => replay_id !== null),
    ({ replay_id, event_id }) => `${event_id} in replay ${replay_id}`,
  )
  return [...counts].filter(([, count]) => count > 1).map(([name]) => name)
}

/** The requests of each delivery, in the order in which they were received. */
function requestsByDelivery({ received }: Evidence): Map<string, Received[]> {
  const requests = Map.groupBy(
    received.filter(({ part }) => part !== 'body'),
    ({ delivery }) => delivery,
  )
  for (const list of requests.values()) list.sort((a, b) => a.at - b.at)
  return requests
}

/**
 * A fault between two requests explains the second one, as long as no success was recorded before it was sent. After the record
 * only a process explains it that was stopped before the record, with the delivery claimed, and sent it when it continued.
 */
function explainDuplicates(evidence: Evidence, faults: readonly Fault[]): Findings['duplicates'] {
  const rows = new Map(evidence.deliveries.map((delivery) => [delivery.id, delivery]))
  const duplicates: Findings['duplicates'] = { explained: 0, afterFreeze: 0, unexplained: [] }
  for (const [id, requests] of requestsByDelivery(evidence)) {
    const accepted = requests.findIndex(isAccepted)
    if (accepted < 0) continue
    const first = requests[accepted] as Received
    const recorded = recordedAt(rows.get(id))
    for (const repeat of requests.slice(accepted + 1)) {
      const where = `${id} at receiver ${repeat.receiver}`
      if (repeat.at * 1000 > recorded + TOLERANCE_MS) {
        if (wasClaimedBefore(repeat, recorded, faults)) duplicates.afterFreeze++
        else duplicates.unexplained.push(`${where}: sent after its success was recorded`)
      } else if (faults.some((fault) => isBetween(fault, first, repeat))) duplicates.explained++
      else duplicates.unexplained.push(`${where}: sent twice without a fault`)
    }
  }
  return duplicates
}

const recordedAt = (row: DeliveryRow | undefined): number =>
  row?.status === 'succeeded' ? (row.finished ?? 0) : Number.POSITIVE_INFINITY

const wasClaimedBefore = (repeat: Received, recorded: number, faults: readonly Fault[]): boolean =>
  faults.some(
    ({ kind, from, until }) =>
      kind === FREEZE &&
      from < recorded &&
      repeat.at * 1000 >= until &&
      repeat.at * 1000 <= until + RESUME_MS,
  )

function isBetween(fault: Fault, first: Received, repeat: Received): boolean {
  const aftermath = fault.kind === 'black hole' ? SILENCE_MS : RESUME_MS
  return (
    fault.kind !== 'slow connections' &&
    fault.from <= repeat.at * 1000 &&
    fault.until + aftermath >= first.at * 1000
  )
}

/** Each request of a delivery, except for the first, with the one before it. */
const successiveRequests = (evidence: Evidence): [before: Received, request: Received][] =>
  [...requestsByDelivery(evidence).values()].flatMap((requests) =>
    requests.slice(1).map((request, index): [Received, Received] => [requests[index] as Received, request]),
  )

/** The number grows with each attempt. Only an attempt whose result was not recorded, because of a fault, repeats its number. */
const findWrongNumbers = (evidence: Evidence, faults: readonly Fault[]): string[] =>
  successiveRequests(evidence)
    .filter(([before, request]) => request.attempt <= before.attempt)
    .filter(([before, request]) => !faults.some((fault) => isBetween(fault, before, request)))
    .map(
      ([before, { delivery, attempt, receiver }]) =>
        `${delivery}: ${attempt} after ${before.attempt} at receiver ${receiver}`,
    )

/** The retry schedule has a jitter of a fifth; a fault can only make the delay longer. */
const findEarlyRetries = (evidence: Evidence): string[] =>
  successiveRequests(evidence)
    .filter(
      ([before, { attempt, at }]) =>
        attempt > before.attempt && at - before.at < 0.8 * (RETRY_SECONDS[before.attempt - 1] ?? 0),
    )
    .map(
      ([before, { delivery, attempt, at }]) =>
        `${delivery}: ${attempt} came ${(at - before.at).toFixed(2)} s after ${before.attempt}`,
    )
