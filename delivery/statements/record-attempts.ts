import type { AttemptLog } from '../dispatch/outgoing-request.ts'
import { livingIds, type Statements } from './statement.ts'

/** How one attempt ended. */
export interface AttemptRecord extends AttemptLog {
  webhookId: string
  fence: number
  outcome: 'succeeded' | 'retry' | 'failed'
  /** From the end of this attempt to the next. */
  waitMs: number | null
}

/** What the attempts of one lane, together, say of its receiver. */
export interface LaneRecord {
  webhook_id: string
  fence: number
  succeeded: boolean
  /** Failures since the last success among them. */
  failures_at_end: number
  failed_probe: boolean
  last_status: number | null
}

export interface LaneAfter {
  webhook_id: string
  /** The breaker is open. */
  open: boolean
  /** No success for so long that the webhook is to be disabled. */
  hopeless: boolean
}

const FAILURES_THAT_OPEN = 5
const FIRST_PROBE_SECONDS = 30
const LONGEST_PROBE_SECONDS = 600
const HOPELESS_DAYS = 5
const HOPELESS_FAILURES = 10

const NOBODY = '00000000-0000-0000-0000-000000000000'

/**
 * Writes what came of a moment's attempts, in one statement for all lanes. Lanes that were taken over meanwhile are not
 * in the answer, and nothing is written of them: their new holder makes the attempt again. Only some lanes are
 * told of: a receiver that keeps doing well is noted once a second, since writing 100 lanes 50 times a second costs as
 * much as the deliveries themselves. A result that is written twice (the answer to the first was lost) finds its number
 * taken, and changes nothing.
 */
export function recordAttempts(
  on: Statements,
  dispatcherId: string,
  attempts: AttemptRecord[],
  lanes: LaneRecord[],
): Promise<LaneAfter[]> {
  return on.run<LaneAfter>(
    'record_attempts',
    `with held as materialized (
       -- Once for each lane, instead of for each attempt. Lanes that are not ours any more are nobody's.
       select array_agg(coalesce(
         (select l.webhook_id from endpoint_queues l where l.webhook_id = w.id and l.fence = w.fence and l.owner = $13 limit 1),
         '${NOBODY}') order by w.place) as lanes
       from unnest($1::uuid[], $2::bigint[]) with ordinality as w(id, fence, place)
     ), attempt as (
       select r.*, (select lanes from held)[r.lane] as webhook_id,
         -- From the attempt's own end: a result that is recorded late must not push the last attempt behind the expiry.
         to_timestamp((r.at_ms + r.duration_ms + r.wait_ms) / 1000) as retry_at
       from unnest($3::integer[], $4::uuid[], $5::integer[], $6::text[], $7::float8[], $8::float8[],
         $9::integer[], $10::integer[], $11::text[], string_to_array($12, e'\\n')::json[])
         as r(lane, delivery_id, number, outcome, wait_ms, at_ms, duration_ms, status, error, details)
     ), settled as (
       update deliveries d set
         status = case
           when r.outcome = 'succeeded' then r.outcome
           when d.status <> 'pending' then d.status
           when r.outcome = 'failed' or r.retry_at > d.expires_at then 'failed'
           else 'pending'
         end,
         attempts = r.number,
         due_at = coalesce(r.retry_at, d.due_at),
         finished_at = case
           when r.outcome = 'retry' and d.status = 'pending' and r.retry_at <= d.expires_at then null
           else now()
         end,
         last_status = r.status,
         last_error = r.error
       from attempt r
       where d.webhook_id = r.webhook_id and d.id = r.delivery_id
         and d.id >= $15 and d.id < $16
         and d.attempts = r.number - 1
       returning r.delivery_id, r.number, r.at_ms, r.duration_ms, r.status, r.error, r.details
     ), logged as (
       insert into attempts (delivery_id, number, at, duration_ms, status, error, details)
       select delivery_id, number, to_timestamp(at_ms / 1000), duration_ms, status, error, details
       from settled
     ), touched as (
       update endpoint_queues l set
         last_attempt_at = now(),
         last_status = x.last_status,
         last_success_at = case when x.succeeded then now() else l.last_success_at end,
         consecutive_failures = next.failures,
         failures_since_success =
           case when x.succeeded then x.failures_at_end else l.failures_since_success + x.failures_at_end end,
         failing_since = case
           when x.succeeded then case when x.failures_at_end > 0 then now() end
           when x.failures_at_end > 0 then coalesce(l.failing_since, now())
           else l.failing_since
         end,
         failed_trials = next.probes,
         trial_at = case
           when next.failures < ${FAILURES_THAT_OPEN} then null
           when l.trial_at is null or x.failed_probe then now() + interval '1 second'
             * least(${LONGEST_PROBE_SECONDS}, ${FIRST_PROBE_SECONDS} * 2 ^ next.probes)
           else l.trial_at
         end
       from json_to_recordset($14) as x(webhook_id uuid, fence bigint, succeeded boolean, failures_at_end integer,
         failed_probe boolean, last_status integer)
       cross join lateral (
         select
           case when x.succeeded then x.failures_at_end else was.consecutive_failures + x.failures_at_end end as failures,
           case
             when x.succeeded then 0
             when x.failed_probe then least(was.failed_trials + 1, 10)
             else was.failed_trials
           end as probes
         from endpoint_queues was where was.webhook_id = x.webhook_id limit 1
       ) as next
       where l.webhook_id = x.webhook_id and l.fence = x.fence and l.owner = $13
       returning l.webhook_id, l.trial_at, l.failing_since, l.failures_since_success
     )
     select webhook_id, trial_at is not null as open,
       failures_since_success >= ${HOPELESS_FAILURES}
         and failing_since < now() - interval '${HOPELESS_DAYS} days' as hopeless
     from touched`,
    [...columnsOf(attempts), dispatcherId, JSON.stringify(lanes), ...livingIds()],
  )
}

/** Arrays as PostgreSQL reads them, by hand: one JSON text for all took 35 µs a row to read, these take 3. */
function columnsOf(attempts: AttemptRecord[]): string[] {
  const held = [...new Map(attempts.map((attempt) => [holdOf(attempt), attempt])).values()]
  const places = new Map(held.map((attempt, i) => [holdOf(attempt), i + 1]))
  return [
    column(held, ({ webhookId }) => webhookId),
    column(held, ({ fence }) => fence),
    column(attempts, (attempt) => places.get(holdOf(attempt)) ?? null),
    column(attempts, ({ deliveryId }) => deliveryId),
    column(attempts, ({ number }) => number),
    column(attempts, ({ outcome }) => outcome),
    column(attempts, ({ waitMs }) => waitMs),
    column(attempts, ({ at }) => at),
    column(attempts, ({ durationMs }) => durationMs),
    column(attempts, ({ status }) => status),
    column(attempts, ({ error }) => error),
    // JSON has no line break outside of its escapes, so that nothing needs quoting.
    attempts.map(({ details }) => details).join('\n'),
  ]
}

const column = <T>(items: T[], of: (item: T) => string | number | null): string =>
  `{${items.map((item) => of(item) ?? 'NULL').join(',')}}`

/** A lane that was lost and leased again is another hold of it. */
const holdOf = ({ webhookId, fence }: AttemptRecord): string => `${webhookId} ${fence}`
