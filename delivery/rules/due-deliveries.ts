import { IS_ALIVE } from './leases.ts'
import { FIRST_PENDING_ID } from './lifetime.ts'
import { NOT_INTERRUPTED } from './sendable.ts'

/** Requests in flight to one webhook at most. */
export const MAX_IN_FLIGHT = 8
/** While its last request failed, and before its first one: thousands of webhooks whose receivers hang take one slot each. */
export const MAX_IN_FLIGHT_UNTIL_SUCCESS = 1

/** SQL: whether the last request of the queue `q` succeeded. */
export const IS_HEALTHY = '(q.last_success_at is not null and q.consecutive_failures = 0)'

interface DueDeliveries {
  columns: string
  /** A condition on the ids of `d`, which lets PostgreSQL skip older partitions. */
  ids: string
  /** How many requests the queue has room for. */
  slots: string
  /** Whether no request of the queue is in flight. */
  isIdle?: string
}

/**
 * SQL: the deliveries `d` that are sent next, for a queue `q` and its webhook `w`. While the circuit breaker is open, one at a time is
 * sent, as a trial request.
 */
export const dueDeliveries = ({ columns, ids, slots, isIdle = 'true' }: DueDeliveries): string => `
  select ${columns} from deliveries d
  where d.webhook_id = q.webhook_id and d.status = 'pending' and d.due_at <= now() and ${ids} and ${NOT_INTERRUPTED}
  order by d.due_at
  limit case
    when q.trial_at is null then ${slots}
    when q.trial_at <= now() and ${isIdle} then 1
    else 0
  end`

/**
 * SQL: the ids of the deliveries that a dispatcher is sending to the webhook with the id `listed.id`. The API derives the status
 * `delivering` from it, because storing that status would double the writes of every delivery.
 */
export const DELIVERING = `
  select d.id from endpoint_queues q
  join webhooks w on w.id = q.webhook_id
  join dispatchers o on o.id = q.owner and ${IS_ALIVE}
  cross join lateral (
    ${dueDeliveries({
      columns: 'd.id',
      ids: `d.id >= ${FIRST_PENDING_ID}`,
      slots: `case when ${IS_HEALTHY} then ${MAX_IN_FLIGHT} else ${MAX_IN_FLIGHT_UNTIL_SUCCESS} end`,
    })}
  ) d
  where q.webhook_id = listed.id`
