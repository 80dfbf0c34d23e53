import { hostname } from 'node:os'
import type { Database } from '../../database/database.ts'
import { IN_PENDING_IDS, pendingIds } from '../rules/lifetime.ts'
import { JOIN_TENANT } from '../rules/sendable.ts'
import { type Statements, statement } from './statement.ts'

/** Queues of a dead process are taken over after this; a live one renews its lease every third of it. */
export const LEASE_MS = 10_000
export const RENEW_EVERY_MS = LEASE_MS / 3

export interface LeasedQueue {
  webhookId: string
  organisationId: string
  fence: number
  /** Whether the queue was taken over from a dispatcher whose lease expired. */
  takenOver: boolean
}

const RENEW = statement<{ dispatcherId: string; host: string; pid: number; leaseMs: number }>(
  'renew_lease',
  `insert into dispatchers (id, host, pid, lease_until)
   values (:dispatcherId, :host, :pid, now() + :leaseMs * interval '1 ms')
   on conflict (id) do update set lease_until = excluded.lease_until`,
)

/** One row is the lease of all queues that the dispatcher owns. */
export async function renewLease(statements: Statements, dispatcherId: string): Promise<void> {
  await statements.run(RENEW, { dispatcherId, host: hostname(), pid: process.pid, leaseMs: LEASE_MS })
}

interface Lease extends ReturnType<typeof pendingIds> {
  dispatcherId: string
  named: string[] | null
  held: string[]
  limit: number
}

const NOT_OWNED_BY_OTHERS =
  '(q.owner is null or (q.owner = :dispatcherId and q.webhook_id <> all(:held::uuid[]))'

const lease = (name: string, selection: string) =>
  statement<Lease, LeasedQueue>(
    name,
    `with due as (
       select q.webhook_id, s.organisation_id, q.owner is not null as taken_over,
         row_number() over (partition by s.organisation_id order by q.webhook_id) as turn
       from endpoint_queues q
       left join dispatchers o on o.id = q.owner
       join webhooks w on w.id = q.webhook_id
       ${JOIN_TENANT}
       where ${selection}
         and ${NOT_OWNED_BY_OTHERS} or o.lease_until is null or o.lease_until < now())
         and (q.trial_at is null or q.trial_at <= now())
         and exists (
           select from deliveries d
           where d.webhook_id = q.webhook_id and d.status = 'pending' and d.due_at <= now() and ${IN_PENDING_IDS})
     ), chosen as (
       select q.webhook_id, due.organisation_id, due.taken_over
       from (select * from due order by turn, webhook_id limit :limit) due
       join endpoint_queues q on q.webhook_id = due.webhook_id
       where ${NOT_OWNED_BY_OTHERS}
         or not exists (select from dispatchers o where o.id = q.owner and o.lease_until >= now()))
       for update of q skip locked
     )
     update endpoint_queues q set owner = :dispatcherId, fence = q.fence + 1
     from chosen
     where q.webhook_id = chosen.webhook_id
     returning q.webhook_id as "webhookId", chosen.organisation_id as "organisationId", q.fence,
       chosen.taken_over as "takenOver"`,
  )

const LEASE_NAMED = lease('lease_named_queues', 'q.webhook_id = any(:named::uuid[])')
const LEASE_DUE = lease('lease_due_queues', ':named::uuid[] is null')

/**
 * Leases queues that have due deliveries and no owner: those in `named`, or any. Organisations take turns, so that one with
 * thousands of queues does not delay another with a few. The deliveries are claimed by a second statement: this one's snapshot
 * is older than its locks, and showed deliveries that the last owner had just finished (1 % were sent twice). `held` are the
 * queues that the dispatcher knows it owns; one that it owns without knowing, because a connection broke, is leased again.
 */
export const leaseQueues = (
  statements: Statements,
  dispatcherId: string,
  named: string[] | null,
  limit: number,
  held: string[] = [],
): Promise<LeasedQueue[]> =>
  statements.run(named ? LEASE_NAMED : LEASE_DUE, { dispatcherId, named, held, limit, ...pendingIds() })

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
