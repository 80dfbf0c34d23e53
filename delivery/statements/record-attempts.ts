import { IS_FAILING } from '../rules/auto-disable.ts'
import { SET_BREAKER } from '../rules/circuit-breaker.ts'
import { IN_PENDING_IDS, pendingIds } from '../rules/lifetime.ts'
import { type Statements, statement } from './statement.ts'

/** The columns of an attempt's row. */
export interface AttemptLog {
  deliveryId: string
  number: number
  /** Milliseconds since 1970, by the database's clock. */
  at: number
  durationMs: number
  status: number | null
  error: string | null
  /** JSON of `AttemptDetails`. */
  details: string
}

/** How one attempt ended. */
export interface AttemptRecord extends AttemptLog {
  webhookId: string
  fence: number
  outcome: 'succeeded' | 'retry' | 'failed'
  /** The time from the end of this attempt to the next one. */
  waitMs: number | null
}

/** The attempts of one endpoint queue in a batch, together. */
export interface QueueResults {
  webhook_id: string
  fence: number
  succeeded: boolean
  /** Failures since the last success among them. */
  failures_at_end: number
  failed_trial: boolean
  last_status: number | null
}

export interface QueueAfter {
  webhook_id: string
  /** The webhook is to be disabled. */
  isFailing: boolean
}

const NO_WEBHOOK = '00000000-0000-0000-0000-000000000000'

type Batch = ReturnType<typeof columnsOf> &
  ReturnType<typeof pendingIds> & { dispatcherId: string; queues: string }

const RECORD = statement<Batch, QueueAfter>(
  'record_attempts',
  `with owned as materialized (
     -- Once per queue instead of once per attempt. A queue that this dispatcher has lost matches no delivery.
     select array_agg(coalesce(
       (select q.webhook_id from endpoint_queues q
         where q.webhook_id = w.id and q.fence = w.fence and q.owner = :dispatcherId limit 1),
       '${NO_WEBHOOK}') order by w.number) as webhook_ids
     from unnest(:webhookIds::uuid[], :fences::bigint[]) with ordinality as w(id, fence, number)
   ), attempt as (
     select a.*, (select webhook_ids from owned)[a.queue] as webhook_id,
       -- From the end of the attempt: a result that is recorded late must not move the last attempt behind the expiry.
       to_timestamp((a.at_ms + a.duration_ms + a.wait_ms) / 1000) as retry_at
     from unnest(:queueNumbers::integer[], :deliveryIds::uuid[], :numbers::integer[], :outcomes::text[],
       :waits::float8[], :startedAt::float8[], :durations::integer[], :statuses::integer[], :errors::text[],
       string_to_array(:details, e'\\n')::json[])
       as a(queue, delivery_id, number, outcome, wait_ms, at_ms, duration_ms, status, error, details)
   ), recorded as (
     update deliveries d set
       status = case
         when a.outcome = 'succeeded' then a.outcome
         when d.status <> 'pending' then d.status
         when a.outcome = 'failed' or a.retry_at > d.expires_at then 'failed'
         else 'pending'
       end,
       attempts = a.number,
       due_at = coalesce(a.retry_at, d.due_at),
       finished_at = case
         when a.outcome = 'retry' and d.status = 'pending' and a.retry_at <= d.expires_at then null
         else now()
       end,
       last_status = a.status,
       last_error = a.error
     from attempt a
     where d.webhook_id = a.webhook_id and d.id = a.delivery_id and ${IN_PENDING_IDS}
       and d.attempts = a.number - 1
     returning a.delivery_id, a.number, a.at_ms, a.duration_ms, a.status, a.error, a.details
   ), logged as (
     insert into attempts (delivery_id, number, at, duration_ms, status, error, details)
     select delivery_id, number, to_timestamp(at_ms / 1000), duration_ms, status, error, details
     from recorded
   ), updated as (
     update endpoint_queues q set
       last_attempt_at = now(),
       last_status = r.last_status,
       last_success_at = case when r.succeeded then now() else q.last_success_at end,
       ${SET_BREAKER}
     from json_to_recordset(:queues) as r(webhook_id uuid, fence bigint, succeeded boolean, failures_at_end integer,
       failed_trial boolean, last_status integer)
     where q.webhook_id = r.webhook_id and q.fence = r.fence and q.owner = :dispatcherId
     returning q.webhook_id, q.failing_since, q.failures_since_success
   )
   select webhook_id, ${IS_FAILING} as "isFailing" from updated`,
)

/**
 * Writes a batch of results, in one statement for all queues. Nothing is written for queues that another dispatcher took over,
 * which makes the attempt again; they are not in the result. Only the queues in `queues` are updated: a healthy endpoint is
 * noted once a second, since updating 100 rows 50 times a second costs as much as the deliveries themselves. A result that is
 * written twice, because the first response was lost, finds its attempt number taken and changes nothing.
 */
export const recordAttempts = (
  statements: Statements,
  dispatcherId: string,
  attempts: AttemptRecord[],
  queues: QueueResults[],
): Promise<QueueAfter[]> =>
  statements.run(RECORD, {
    ...columnsOf(attempts),
    dispatcherId,
    queues: JSON.stringify(queues),
    ...pendingIds(),
  })

/** Array literals, written by hand: PostgreSQL took 35 µs a row to read one JSON text for all, and takes 3 for these. */
function columnsOf(attempts: AttemptRecord[]) {
  const leases = [...new Map(attempts.map((attempt) => [leaseOf(attempt), attempt])).values()]
  const numbers = new Map(leases.map((attempt, i) => [leaseOf(attempt), i + 1]))
  return {
    webhookIds: column(leases, ({ webhookId }) => webhookId),
    fences: column(leases, ({ fence }) => fence),
    queueNumbers: column(attempts, (attempt) => numbers.get(leaseOf(attempt)) ?? null),
    deliveryIds: column(attempts, ({ deliveryId }) => deliveryId),
    numbers: column(attempts, ({ number }) => number),
    outcomes: column(attempts, ({ outcome }) => outcome),
    waits: column(attempts, ({ waitMs }) => waitMs),
    startedAt: column(attempts, ({ at }) => at),
    durations: column(attempts, ({ durationMs }) => durationMs),
    statuses: column(attempts, ({ status }) => status),
    errors: column(attempts, ({ error }) => error),
    // JSON has no line break outside of its escapes, so nothing needs quoting.
    details: attempts.map(({ details }) => details).join('\n'),
  }
}

const column = <T>(items: T[], of: (item: T) => string | number | null): string =>
  `{${items.map((item) => of(item) ?? 'NULL').join(',')}}`

/** A queue that was lost and leased again has another fence. */
const leaseOf = ({ webhookId, fence }: AttemptRecord): string => `${webhookId} ${fence}`
