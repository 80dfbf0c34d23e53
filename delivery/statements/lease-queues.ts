import { hostname } from 'node:os'
import type { Database } from '../../database/database.ts'
import { WAKE_CHANNEL } from '../notifications.ts'
import { IS_HEALTHY } from '../rules/due-deliveries.ts'
import { CAN_LEASE, IS_ALIVE } from '../rules/leases.ts'
import { IN_PENDING_IDS, pendingIds } from '../rules/lifetime.ts'
import { JOIN_TENANT } from '../rules/sendable.ts'
import { type DispatcherLoad, SLOT_OF_QUEUE } from '../rules/shares.ts'
import { type Statements, statement } from './statement.ts'

/** Queues of a dead process are taken over after this. */
export const LEASE_MS = 10_000
/** Each renewal also shares queues out among the dispatchers. */
export const RENEW_EVERY_MS = 1_000
const HANGS_AFTER_MS = 3 * RENEW_EVERY_MS
/** A queue that its dispatcher has not leased after this is leased by any other. */
const LEAVE_TO_OTHERS_MS = 2_000

export interface LeasedQueue {
  webhookId: string
  organisationId: string
  fence: number
  /** Its last request succeeded. */
  isHealthy: boolean
  /** Its last request failed. Neither: no request has ended. */
  isFailing: boolean
  /** Whether the queue was taken over from a dispatcher whose lease expired. */
  takenOver: boolean
}

const RENEW = statement<Omit<DispatcherLoad, 'id'> & Registration, DispatcherLoad>(
  'renew_lease',
  `with renewed as (
     insert into dispatchers (id, host, pid, lease_until, busy_queues, requests_per_second)
     values (:dispatcherId, :host, :pid, now() + :leaseMs * interval '1 ms', :busyQueues, :requestsPerSecond)
     on conflict (id) do update set lease_until = excluded.lease_until, busy_queues = excluded.busy_queues,
       requests_per_second = excluded.requests_per_second
   )
   select id, busy_queues as "busyQueues", requests_per_second as "requestsPerSecond" from dispatchers
   where id <> :dispatcherId and lease_until > now() + (:leaseMs - :hangsAfterMs) * interval '1 ms'`,
)

interface Registration {
  dispatcherId: string
  host: string
  pid: number
  leaseMs: number
  hangsAfterMs: number
}

/**
 * One row is the lease of all queues that the dispatcher owns. Returns the other dispatchers, without those that missed their last
 * renewals: queues given to one that hangs would wait until its lease expires.
 */
export const renewLease = (
  statements: Statements,
  { id: dispatcherId, ...load }: DispatcherLoad,
): Promise<DispatcherLoad[]> =>
  statements.run(RENEW, {
    ...load,
    dispatcherId,
    host: hostname(),
    pid: process.pid,
    leaseMs: LEASE_MS,
    hangsAfterMs: HANGS_AFTER_MS,
  })

interface Lease extends ReturnType<typeof pendingIds> {
  dispatcherId: string
  named: string[] | null
  limit: number
  /** Queues in other slots are left to their dispatcher for a moment. */
  slots: number[]
  waitMs: number
}

const leasedColumns = (organisationId: string, takenOver: string): string => `
  q.webhook_id as "webhookId", ${organisationId} as "organisationId", q.fence, ${IS_HEALTHY} as "isHealthy",
  q.consecutive_failures > 0 as "isFailing", ${takenOver} as "takenOver"`

const lease = (name: string, selection: string) =>
  statement<Lease, LeasedQueue>(
    name,
    `with due as (
       select q.webhook_id, q.fence, s.organisation_id, q.owner is not null as taken_over,
         row_number() over (partition by s.organisation_id order by q.webhook_id) as turn
       from endpoint_queues q
       join webhooks w on w.id = q.webhook_id
       ${JOIN_TENANT}
       where ${selection}
         and ${CAN_LEASE}
         and (q.trial_at is null or q.trial_at <= now())
         -- The first one, not any: for any, PostgreSQL reads all finished deliveries of the queue by their ids.
         and (
           select d.due_at from deliveries d
           where d.webhook_id = q.webhook_id and d.status = 'pending' and ${IN_PENDING_IDS}
           order by d.due_at limit 1
         ) <= now() - case when ${SLOT_OF_QUEUE} = any(:slots::integer[]) then 0 else :waitMs end * interval '1 ms'
     ), chosen as (
       select q.webhook_id, due.organisation_id, due.taken_over
       from (select * from due order by turn, webhook_id limit :limit) due
       -- Skips a queue that was leased in the meantime: its dispatcher looks dead if it started after this snapshot.
       join endpoint_queues q on q.webhook_id = due.webhook_id and q.fence = due.fence
       where ${CAN_LEASE}
       for update of q skip locked
     )
     update endpoint_queues q set owner = :dispatcherId, fence = q.fence + 1
     from chosen
     where q.webhook_id = chosen.webhook_id
     returning ${leasedColumns('chosen.organisation_id', 'chosen.taken_over')}`,
  )

const LEASE_NAMED = lease('lease_named_queues', 'q.webhook_id = any(:named::uuid[])')
const LEASE_DUE = lease('lease_due_queues', ':named::uuid[] is null')

/**
 * Leases queues that have due deliveries and no owner: those in `named`, or any. Queues in the slots of another dispatcher are leased
 * only if that dispatcher has not leased them within LEAVE_TO_OTHERS_MS, for example because it hangs. Organisations take turns, so that
 * one with thousands of queues does not delay another with a few. The deliveries are claimed by a second statement: this one's snapshot
 * is older than its locks, and showed deliveries that the last owner had just finished (1 % were sent twice).
 */
export const leaseQueues = (
  statements: Statements,
  dispatcherId: string,
  { named = null, limit, slots }: LeaseOptions,
): Promise<LeasedQueue[]> =>
  statements.run(named ? LEASE_NAMED : LEASE_DUE, {
    dispatcherId,
    named,
    limit,
    slots,
    waitMs: LEAVE_TO_OTHERS_MS,
    ...pendingIds(),
  })

export interface LeaseOptions {
  named?: string[] | null
  /** How many queues can be leased. */
  limit: number
  /** The slots of the dispatcher (rules/shares.ts). */
  slots: number[]
}

const HAND_OVER = statement<{ dispatcherId: string; to: string; webhookIds: string[] }>(
  'hand_over_queues',
  `with handed as (
     update endpoint_queues q set owner = o.id, fence = q.fence + 1
     from dispatchers o
     where q.owner = :dispatcherId and q.webhook_id = any(:webhookIds::uuid[])
       and o.id = :to and ${IS_ALIVE}
     returning q.webhook_id
   )
   select pg_notify('${WAKE_CHANNEL}', ' ' || string_agg(webhook_id::text, ',') || ' ' || :to::text) from handed`,
)
/** The payload of a notification has at most 8,000 bytes. */
const MAX_HANDED_OVER = 200

/** Gives queues to another dispatcher and notifies it. If that one is dead, they stay with this one, which leases them again. */
export async function handOverQueues(
  statements: Statements,
  dispatcherId: string,
  to: string,
  queues: LeasedQueue[],
): Promise<void> {
  const webhookIds = queues.map(({ webhookId }) => webhookId)
  while (webhookIds.length > 0)
    await statements.run(HAND_OVER, { dispatcherId, to, webhookIds: webhookIds.splice(0, MAX_HANDED_OVER) })
}

/** A list in a subquery is hashed. With `<> all`, PostgreSQL compared each of 10,000 queues with all others. */
const accept = (name: string, selection: string) =>
  statement<{ dispatcherId: string; webhookIds: string[] | null; held: string[] }, LeasedQueue>(
    name,
    `update endpoint_queues q set fence = q.fence + 1
     from webhooks w ${JOIN_TENANT}
     where w.id = q.webhook_id and q.owner = :dispatcherId and ${selection}
       and q.webhook_id not in (select unnest(:held::uuid[]))
     returning ${leasedColumns('s.organisation_id', 'false')}`,
  )

const ACCEPT_NAMED = accept('accept_named_queues', 'q.webhook_id = any(:webhookIds::uuid[])')
const ACCEPT_ALL = accept('accept_all_queues', ':webhookIds::uuid[] is null')

/**
 * Leases queues that the dispatcher owns and does not hold, also those without due deliveries. With `webhookIds`, those that another
 * dispatcher handed over; otherwise all, because the notification of a hand-over or the answer to an earlier statement was lost.
 */
export const acceptQueues = (
  statements: Statements,
  dispatcherId: string,
  webhookIds: string[] | null,
  held: string[],
): Promise<LeasedQueue[]> =>
  statements.run(webhookIds ? ACCEPT_NAMED : ACCEPT_ALL, { dispatcherId, webhookIds, held })

const RELEASE = statement<{ dispatcherId: string; webhookIds: string[] }>(
  'release_queues',
  'update endpoint_queues set owner = null where owner = :dispatcherId and webhook_id = any(:webhookIds)',
)

export async function releaseQueues(
  statements: Statements,
  dispatcherId: string,
  queues: LeasedQueue[],
): Promise<void> {
  await statements.run(RELEASE, { dispatcherId, webhookIds: queues.map(({ webhookId }) => webhookId) })
}

const UNREGISTER = statement<{ dispatcherId: string }>(
  'unregister_dispatcher',
  `with released as (update endpoint_queues set owner = null where owner = :dispatcherId)
   delete from dispatchers where id = :dispatcherId`,
)

/** When a process stops: other dispatchers can lease its queues without waiting for the lease to expire. */
export async function unregisterDispatcher(statements: Statements, dispatcherId: string): Promise<void> {
  await statements.run(UNREGISTER, { dispatcherId })
}

/** Rows of processes that died more than a day ago. */
export async function deleteDeadDispatchers({ pool }: Pick<Database, 'pool'>): Promise<void> {
  await pool.query(`delete from dispatchers d where lease_until < now() - interval '1 day'
    and not exists (select from endpoint_queues q where q.owner = d.id)`)
}
