import type { Database } from '../../database/database.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Egress } from '../http/index.ts'
import { FIRST_PENDING_ID } from '../rules/lifetime.ts'

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30, 120, 600, 3600, 36_000]

export type DispatchMetrics = ReturnType<typeof createDispatchMetrics>

export function createDispatchMetrics({ counter, histogram }: Metrics) {
  const attempts = counter(
    'parley_delivery_attempts_total',
    'Delivery attempts, by outcome and error category',
    ['outcome', 'error'],
  )
  const takeOvers = counter(
    'parley_lane_take_overs_total',
    'Endpoint queues taken over from a dispatcher whose lease expired',
    [],
  )
  const handOvers = counter(
    'parley_queue_hand_overs_total',
    'Endpoint queues handed over to a dispatcher with less work, or before a stop',
    [],
  )
  const since = (name: string, end: string) =>
    histogram(name, `Time from the commit of an event to its ${end}`, BUCKETS)
  return {
    attempts(made: { outcome: string; error: string | null }[]): void {
      const groups = Map.groupBy(made, ({ outcome, error }) => `${outcome} ${error ?? 'none'}`)
      for (const [key, { length }] of groups) attempts(key.split(' '), length)
    },
    /** Seconds since the commit of the event. */
    firstAttempt: since('parley_delivery_first_attempt_seconds', 'first attempt'),
    success: since('parley_delivery_success_seconds', 'delivery'),
    takeOvers: (count: number) => takeOvers([], count),
    handOvers: (count: number) => handOvers([], count),
  }
}

/** Values from the database are the same for every process, and are read at each scrape. */
export function registerGauges(
  { gauge }: Metrics,
  queues: { readonly size: number; readonly inFlight: number; readonly slowInFlight: number },
  { pool }: Pick<Database, 'pool'>,
  egress: Pick<Egress, 'connections' | 'maxConnections'>,
): void {
  const read = async (text: string) => Number((await pool.query<{ value: number }>(text)).rows[0]?.value ?? 0)
  gauge('parley_lanes_held', 'Endpoint queues leased by this process and its helpers', () => queues.size)
  gauge(
    'parley_deliveries_under_way',
    'Webhook requests in flight, of this process and its helpers',
    () => queues.inFlight,
  )
  gauge(
    'parley_slow_deliveries_in_flight',
    'Those of the webhook requests in flight whose receiver is slow or hangs, or where no request has succeeded yet',
    () => queues.slowInFlight,
  )
  gauge(
    'parley_delivery_connections',
    'Connections of this process and its helpers to receivers, in use or idle',
    () => egress.connections(),
  )
  gauge(
    'parley_delivery_connections_limit',
    'Maximum connections, derived from the open-file limit',
    () => egress.maxConnections,
  )
  gauge(
    'parley_breakers_open',
    'Webhooks whose circuit breaker is open',
    () => read('select count(*) as value from endpoint_queues where trial_at is not null'),
    'max',
  )
  gauge(
    'parley_oldest_pending_seconds',
    'Age of the oldest delivery that is due and pending',
    () =>
      read(`select extract(epoch from now() - min(d.created_at)) as value from endpoint_queues q cross join lateral (
      select created_at from deliveries
      where webhook_id = q.webhook_id and status = 'pending' and due_at <= now() and id >= ${FIRST_PENDING_ID}
      order by due_at limit 1) d`),
    'max',
  )
}
