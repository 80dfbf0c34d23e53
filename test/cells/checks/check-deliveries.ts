import type { Row, Violations } from '../../chaos/framework/chaos-run.ts'
import type { Cluster } from '../../chaos/framework/cluster.ts'
import { check } from '../../chaos/webhooks/checker.ts'
import { readLog } from '../../chaos/webhooks/evidence.ts'
import type { Received } from '../../chaos/webhooks/receiver.ts'
import { LEASE_MS } from '../mover/delivery-queues.ts'
import type { MoveRecord } from '../moves.ts'
import type { Run } from './run-to-check.ts'

/**
 * The checker of the webhook tests, with the moves as the faults that can explain a duplicate. The events that must exist follow from
 * what participants and hosts sent, which another checker compares.
 */
export async function checkDeliveries(
  { receiver, subscriptions, moved, records }: Run,
  everywhere: Pick<Cluster, 'query'>,
  erased: ReadonlySet<string>,
): Promise<{ rows: Row[]; violations: Violations }> {
  const log = await readLog(everywhere, receiver)
  const times = await everywhere.query<{ id: string; began: number; subject_id: string }>(
    'select id, (extract(epoch from occurred_at) * 1000)::float8 as began, subject_id from events',
  )
  const since = Math.min(...subscriptions.map((one) => one.since))
  // Deliveries of erased conversations are cancelled. Those of the history were never sent.
  const gone = new Set(
    times.filter(({ subject_id, began }) => erased.has(subject_id) || began < since).map(({ id }) => id),
  )
  const kept = new Map(times.filter(({ id }) => !gone.has(id)).map((row) => [row.id, row]))
  const deliveries = log.deliveries.filter(({ event_id }) => !gone.has(event_id))
  const ids = new Set(deliveries.map(({ id }) => id))
  const evidence = {
    ...log,
    events: log.events.filter(({ id }) => kept.has(id)),
    ledger: log.events.flatMap(({ id, ...event }) => {
      const began = kept.get(id)?.began
      return began === undefined ? [] : [{ ...event, began }]
    }),
    deliveries,
    attempts: log.attempts.filter(({ delivery_id }) => ids.has(delivery_id)),
    received: log.received.filter(({ event }) => !gone.has(event)),
  }
  // A delivery whose mover was killed is claimed again when the lease on its queue ends.
  const faults = records.map(({ began, ended }) => ({
    kind: 'move',
    target: moved.id,
    from: began,
    until: ended + LEASE_MS,
  }))
  const { rows, violations } = check(evidence, subscriptions, faults)
  const inTwoCells = evidence.events.length - new Set(evidence.events.map(({ id }) => id)).size
  return {
    rows: [
      ...rows.filter(([name]) => !name.includes('stopped')),
      ['first attempts made by both cells', countFirstAttempts(evidence.received, records)],
    ],
    violations: { ...violations, 'event in two cells': inTwoCells > 0 ? [String(inTwoCells)] : [] },
  }
}

/** Deliveries whose first attempt was received before the end of a move and again after it: its result was not recorded. */
function countFirstAttempts(received: readonly Received[], records: readonly MoveRecord[]): number {
  const first = Map.groupBy(
    received.filter(({ attempt }) => attempt === 1),
    ({ delivery }) => delivery,
  )
  const commits = records.flatMap(({ times }) => times.get('rows deleted at the source') ?? [])
  const isBothSides = (times: readonly number[]): boolean =>
    commits.some((commit) => times.some((at) => at < commit) && times.some((at) => at >= commit))
  return first
    .values()
    .reduce((sum, requests) => sum + (isBothSides(requests.map(({ at }) => at * 1000)) ? 1 : 0), 0)
}
