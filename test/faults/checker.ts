import type { DeliveryRow, Evidence } from './evidence.ts'
import type { Received } from './receiver.ts'
import type { Fault } from './storm.ts'
import type { Subscription } from './subscriptions.ts'

/** Clocks are one clock; this is for rounding, and for a commit that follows its own timestamp. */
const SKEW_MS = 500
/** A connection that a black hole swallowed is given up after this long without a word (12 to 13 s), and a bit. */
const SILENCE_MS = 14_000
/** A process that wakes up sends what it had in hand at once. */
const AWAKENING_MS = 2_000
/** Before the second, third, … attempt, as far as a run lasts. */
const LADDER_SECONDS = [5, 60, 300]

export interface Verdict {
  events: number
  pairs: number
  requests: number
  hostilePairs: number
  hostileDelivered: number
  duplicates: { explained: number; afterAwakening: number; unexplained: string[] }
  failedAttemptsAtHealthy: Map<string, number>
  /** Of every owed pair: when its transaction began, and when it was first received, in milliseconds since 1970. */
  receipts: { began: number; at: number }[]
  /** Each must be empty. */
  violations: Record<string, string[]>
}

/** An event, and a receiver that must get it. */
interface Pair {
  one: Subscription
  key: string
  began: number
}

/** Compares what three witnesses say, without any of the service's own code. */
export function judge(
  evidence: Evidence,
  subscriptions: readonly Subscription[],
  faults: readonly Fault[],
): Verdict {
  const byWebhook = new Map(subscriptions.map((one) => [one.webhookId, one]))
  const byNumber = new Map(subscriptions.map((one) => [one.number, one]))
  const healthy = subscriptions.filter(({ behaviour }) => behaviour === 'ok')
  const hostile = subscriptions.filter(({ behaviour }) => behaviour !== 'ok')
  const good = evidence.received.filter(isGood)
  const receivedKeys = keysPerReceiver(good, evidence)
  const owed = healthy.flatMap((one) => owedTo(one, evidence))
  const hostileOwed = hostile.flatMap((one) => owedTo(one, evidence))
  const receipt = ({ one, key }: Pair) => receivedKeys.get(`${one.number} ${key}`)
  const isHealthy = (delivery: { webhook_id: string }) =>
    byWebhook.get(delivery.webhook_id)?.behaviour === 'ok'

  return {
    events: evidence.ledger.length,
    pairs: owed.length,
    requests: evidence.received.filter(({ part }) => part !== 'body').length,
    hostilePairs: hostileOwed.length,
    hostileDelivered: hostileOwed.filter((pair) => receipt(pair) !== undefined).length,
    duplicates: explainDuplicates(evidence, faults),
    failedAttemptsAtHealthy: countBy(
      evidence.attempts.filter((attempt) => isHealthy(attempt) && attempt.status !== 200),
      ({ status, error }) => `${status ?? ''} ${error ?? ''}`.trim(),
    ),
    receipts: owed.map((pair) => ({ began: pair.began, at: receipt(pair) ?? Number.POSITIVE_INFINITY })),
    violations: {
      lost: owed
        .filter((pair) => receipt(pair) === undefined)
        .map(({ one, key }) => `${key} at receiver ${one.number}`),
      ghost: findGhosts(evidence),
      'wrong signature': evidence.received
        .filter(({ problems }) => problems.length > 0)
        .map(
          ({ receiver, delivery, problems }) =>
            `${problems.join(', ')} of ${delivery} at receiver ${receiver}`,
        ),
      'other bytes': findOtherBytes(evidence, byNumber),
      'more than one event': findDoubleEvents(evidence),
      'not exactly one delivery': findWrongDeliveries(evidence, [...owed, ...hostileOwed]),
      'succeeded without 2xx': findClaims(evidence),
      'not succeeded': evidence.deliveries
        .filter((delivery) => isHealthy(delivery) && delivery.status !== 'succeeded')
        .map(({ id, status, webhook_id }) => `${id} is ${status} for ${byWebhook.get(webhook_id)?.number}`),
      'without attempt': findWithoutAttempt(evidence),
      'attempt number': findWrongNumbers(evidence, faults),
      'retried too early': findEarlyRetries(evidence),
      'replayed twice': findDoubleReplays(evidence),
      'wrong place': evidence.strays.map(({ stray }) => stray),
    },
  }
}

/** It was told that all is well, and the body was what was signed. */
const isGood = ({ status, part, problems }: Received): boolean =>
  status >= 200 && status < 300 && part !== 'body' && problems.length === 0

/** When each receiver first had each event. A head that was answered before its body names the event by its id alone. */
function keysPerReceiver(good: Received[], { events }: Evidence): Map<string, number> {
  const keyOf = new Map(events.map(({ id, key }) => [id, key]))
  const first = new Map<string, number>()
  for (const { receiver, key, event, at } of good) {
    const pair = `${receiver} ${key ?? keyOf.get(event)}`
    first.set(pair, Math.min(first.get(pair) ?? Number.POSITIVE_INFINITY, at * 1000))
  }
  return first
}

/** Every committed change of its project that it subscribed to and that began after it was there. */
function owedTo(one: Subscription, { ledger }: Evidence): Pair[] {
  const { projectId, events, since } = one
  return ledger
    .filter(({ key, project_id, began }) => project_id === projectId && began > since && isOf(key, events))
    .map(({ key, began }) => ({ one, key, began }))
}

const isOf = (key: string, types: readonly string[]): boolean => types.includes(key.split('/')[0] ?? '')

/** Told of, in the books or on the wire, but never committed. */
function findGhosts({ ledger, events, received }: Evidence): string[] {
  const committed = new Set(ledger.map(({ key }) => key))
  const told = new Set([
    ...events.map(({ key }) => key),
    ...received.flatMap(({ key, part }) => (part === 'head' ? [] : [key ?? 'nothing'])),
  ])
  return [...told].filter((key) => !committed.has(key))
}

/** An event has one set of bytes for each kind of payload, at every attempt and every receiver. */
function findOtherBytes({ received }: Evidence, receivers: ReadonlyMap<number, Subscription>): string[] {
  const bytes = new Map<string, string>()
  return received.flatMap(({ event, receiver, sha }) => {
    if (sha === null) return []
    const name = `${event} ${receivers.get(receiver)?.payload}`
    const before = bytes.get(name) ?? sha
    bytes.set(name, before)
    return before === sha ? [] : [`${name} at receiver ${receiver}`]
  })
}

/** A change of state that was tried again is still one event. */
function findDoubleEvents({ ledger, events, received }: Evidence): string[] {
  const ids = new Map<string, Set<string>>(ledger.map(({ key }) => [key, new Set()]))
  for (const { key, id } of events) ids.get(key)?.add(id)
  for (const { key, event } of received) if (key !== null) ids.get(key)?.add(event)
  return [...ids].filter(([, set]) => set.size !== 1).map(([key, set]) => `${key} has ${set.size}`)
}

function findWrongDeliveries({ events, deliveries }: Evidence, owed: Pair[]): string[] {
  const keyOf = new Map(events.map(({ id, key }) => [id, key]))
  const counts = countBy(
    deliveries.filter(({ kind }) => kind === 'event'),
    ({ webhook_id, event_id }) => `${webhook_id} ${keyOf.get(event_id)}`,
  )
  return owed.flatMap(({ one, key }) => {
    const count = counts.get(`${one.webhookId} ${key}`) ?? 0
    return count === 1 ? [] : [`${count} of ${key} for receiver ${one.number}`]
  })
}

/** The service may not believe in a success that the receiver does not know of. */
function findClaims({ deliveries, received }: Evidence): string[] {
  const accepted = new Set(received.filter(isAccepted).map(({ delivery }) => delivery))
  return deliveries
    .filter(({ id, status }) => status === 'succeeded' && !accepted.has(id))
    .map(({ id }) => id)
}

const isAccepted = ({ status, part }: Received): boolean => status >= 200 && status < 300 && part !== 'body'

function findWithoutAttempt({ deliveries, attempts }: Evidence): string[] {
  const rows = countBy(attempts, ({ delivery_id }) => delivery_id)
  return deliveries
    .filter(({ id, status, attempts: counted }) => {
      const logged = rows.get(id) ?? 0
      return logged !== counted || (status === 'succeeded' && logged === 0)
    })
    .map(({ id, attempts: counted }) => `${id} counts ${counted}, logged ${rows.get(id) ?? 0}`)
}

function findDoubleReplays({ deliveries }: Evidence): string[] {
  const counts = countBy(
    deliveries.filter(({ replay_id }) => replay_id !== null),
    ({ replay_id, event_id }) => `${event_id} in replay ${replay_id}`,
  )
  return [...counts].filter(([, count]) => count > 1).map(([name]) => name)
}

/** Requests of each delivery, in the order in which they were received. */
function requestsPerDelivery({ received }: Evidence): Map<string, Received[]> {
  const requests = Map.groupBy(
    received.filter(({ part }) => part !== 'body'),
    ({ delivery }) => delivery,
  )
  for (const list of requests.values()) list.sort((a, b) => a.at - b.at)
  return requests
}

/**
 * A repeat is explained when no success was on record before it was sent and a fault lies between the two. One that comes
 * after the record is explained only by a process that had it in hand when it was frozen, before the record, and sent it
 * when it was let go.
 */
function explainDuplicates(evidence: Evidence, faults: readonly Fault[]): Verdict['duplicates'] {
  const rows = new Map(evidence.deliveries.map((delivery) => [delivery.id, delivery]))
  const verdict: Verdict['duplicates'] = { explained: 0, afterAwakening: 0, unexplained: [] }
  for (const [id, requests] of requestsPerDelivery(evidence)) {
    const accepted = requests.findIndex(isAccepted)
    if (accepted < 0) continue
    const first = requests[accepted] as Received
    for (const repeat of requests.slice(accepted + 1)) {
      const recorded = recordedAt(rows.get(id))
      if (repeat.at * 1000 > recorded + SKEW_MS) {
        if (wasInHand(repeat, recorded, faults)) verdict.afterAwakening++
        else
          verdict.unexplained.push(
            `${id} at receiver ${repeat.receiver}: sent after its success was on record`,
          )
      } else if (faults.some((fault) => liesBetween(fault, first, repeat))) verdict.explained++
      else verdict.unexplained.push(`${id} at receiver ${repeat.receiver}: sent twice without a fault`)
    }
  }
  return verdict
}

const recordedAt = (row: DeliveryRow | undefined): number =>
  row?.status === 'succeeded' ? (row.finished ?? 0) : Number.POSITIVE_INFINITY

const wasInHand = (repeat: Received, recorded: number, faults: readonly Fault[]): boolean =>
  faults.some(
    ({ kind, from, until }) =>
      kind === 'stop past the lease' &&
      from < recorded &&
      repeat.at * 1000 >= until &&
      repeat.at * 1000 <= until + AWAKENING_MS,
  )

function liesBetween(fault: Fault, first: Received, repeat: Received): boolean {
  const aftermath = fault.kind === 'black hole' ? SILENCE_MS : AWAKENING_MS
  return (
    fault.kind !== 'slow connections' &&
    fault.from <= repeat.at * 1000 &&
    fault.until + aftermath >= first.at * 1000
  )
}

/** It grows with each attempt; an attempt whose end was never recorded, for a fault, is made again under its number. */
function findWrongNumbers(evidence: Evidence, faults: readonly Fault[]): string[] {
  const wrong: string[] = []
  for (const [id, requests] of requestsPerDelivery(evidence)) {
    for (const [index, request] of requests.entries()) {
      const before = requests[index - 1]
      if (!before || request.attempt > before.attempt) continue
      if (faults.some((fault) => liesBetween(fault, before, request))) continue
      wrong.push(`${id}: ${request.attempt} after ${before.attempt} at receiver ${request.receiver}`)
    }
  }
  return wrong
}

/** Between an attempt that failed and the next lie the ladder's seconds, less a fifth; a fault can only make it more. */
function findEarlyRetries(evidence: Evidence): string[] {
  const early: string[] = []
  for (const [id, requests] of requestsPerDelivery(evidence)) {
    for (const [index, request] of requests.entries()) {
      const before = requests[index - 1]
      const least = 0.8 * (LADDER_SECONDS[(before?.attempt ?? 0) - 1] ?? 0)
      if (!before || request.attempt <= before.attempt || request.at - before.at >= least) continue
      early.push(
        `${id}: ${request.attempt} came ${(request.at - before.at).toFixed(2)} s after ${before.attempt}`,
      )
    }
  }
  return early
}

function countBy<T>(list: readonly T[], name: (one: T) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const one of list) counts.set(name(one), (counts.get(name(one)) ?? 0) + 1)
  return counts
}
