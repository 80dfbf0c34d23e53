import type { AttemptLog } from './attempt.ts'
import type { Statements } from './statements.ts'

/** How one attempt ended, in the shape of the statement below. */
export interface AttemptRecord extends AttemptLog {
  webhook_id: string
  fence: number
  outcome: 'succeeded' | 'retry' | 'failed'
  /** Until the next attempt. */
  wait_ms: number | null
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

/**
 * Writes what came of a moment's attempts, in one statement for all lanes. Lanes that were taken over meanwhile are not
 * in the answer, and nothing is written of them: their new holder makes the attempt again. Only some lanes are
 * told of: a receiver that keeps doing well is noted once a second, since writing 100 lanes 50 times a second costs as
 * much as the deliveries themselves.
 */
export function recordAttempts(
  on: Statements,
  dispatcherId: string,
  attempts: AttemptRecord[],
  lanes: LaneRecord[],
): Promise<LaneAfter[]> {
  return on.run<LaneAfter>(
    'record_attempts',
    `with attempt as (
       select r.*, now() + r.wait_ms * interval '1 ms' as retry_at
       from json_to_recordset($1) as r(webhook_id uuid, fence bigint, delivery_id uuid, number integer, outcome text,
         wait_ms double precision, at_ms double precision, duration_ms integer, status integer, error text,
         dns_ms integer, connect_ms integer, tls_ms integer, first_byte_ms integer, address text, opened boolean,
         body_hash text, secret_version integer, answer_headers jsonb, answer_body text)
       join lanes l on l.webhook_id = r.webhook_id and l.fence = r.fence and l.owner = $3
     ), settled as (
       update deliveries d set
         status = case
           when r.outcome <> 'retry' then r.outcome
           when r.retry_at > d.expires_at then 'failed'
           else 'pending'
         end,
         attempts = r.number,
         due_at = coalesce(r.retry_at, d.due_at),
         finished_at = case when r.outcome = 'retry' and r.retry_at <= d.expires_at then null else now() end,
         last_status = r.status,
         last_error = r.error
       from attempt r
       where d.webhook_id = r.webhook_id and d.id = r.delivery_id
         and d.id >= uuid_floor(now() - interval '5 days')
         and (d.status = 'pending' or r.outcome = 'succeeded')
     ), logged as (
       insert into attempts (delivery_id, number, at, duration_ms, status, error, dns_ms, connect_ms, tls_ms,
         first_byte_ms, address, opened, body_hash, secret_version, answer_headers, answer_body)
       select delivery_id, number, to_timestamp(at_ms / 1000), duration_ms, status, error, dns_ms,
         connect_ms, tls_ms, first_byte_ms, address, opened, body_hash, secret_version, answer_headers, answer_body
       from attempt
       on conflict do nothing
     ), touched as (
       update lanes l set
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
         failed_probes = next.probes,
         probe_at = case
           when next.failures < ${FAILURES_THAT_OPEN} then null
           when l.probe_at is null or x.failed_probe then now() + interval '1 second'
             * least(${LONGEST_PROBE_SECONDS}, ${FIRST_PROBE_SECONDS} * 2 ^ next.probes)
           else l.probe_at
         end
       from json_to_recordset($2) as x(webhook_id uuid, fence bigint, succeeded boolean, failures_at_end integer,
         failed_probe boolean, last_status integer)
       join lanes was on was.webhook_id = x.webhook_id
       cross join lateral (
         select
           case when x.succeeded then x.failures_at_end else was.consecutive_failures + x.failures_at_end end as failures,
           case
             when x.succeeded then 0
             when x.failed_probe then least(was.failed_probes + 1, 10)
             else was.failed_probes
           end as probes
       ) as next
       where l.webhook_id = x.webhook_id and l.fence = x.fence and l.owner = $3
       returning l.webhook_id, l.probe_at, l.failing_since, l.failures_since_success
     )
     select webhook_id, probe_at is not null as open,
       failures_since_success >= ${HOPELESS_FAILURES}
         and failing_since < now() - interval '${HOPELESS_DAYS} days' as hopeless
     from touched`,
    [JSON.stringify(attempts), JSON.stringify(lanes), dispatcherId],
  )
}
