import { hostname } from 'node:os'
import type { Database } from '../../database/database.ts'
import { livingIds, type Statements } from './statement.ts'

/** A dead process's lanes are taken over after this; a living one renews every third of it. */
export const LEASE_MS = 10_000
export const RENEW_EVERY_MS = LEASE_MS / 3

export interface LeasedLane {
  webhookId: string
  organisationId: string
  fence: number
  /** It was held by a dispatcher whose lease ran out. */
  takenOver: boolean
}

/** Says that this dispatcher lives. One row speaks for all of its lanes, however many it holds. */
export async function renewLease(on: Statements, dispatcherId: string): Promise<void> {
  await on.run(
    'renew_lease',
    `insert into dispatchers (id, host, pid, lease_until) values ($1, $2, $3, now() + $4 * interval '1 ms')
     on conflict (id) do update set lease_until = excluded.lease_until`,
    [dispatcherId, hostname(), process.pid, LEASE_MS],
  )
}

/**
 * Leases lanes that have something due and that nobody holds: those that were named, or all. Organisations take turns,
 * so that one with thousands of lanes does not keep another's few waiting. The deliveries are read afterwards, by a
 * statement of its own: this one's snapshot is older than its locks, and would show deliveries that the last holder
 * has just finished (about 1 % went out twice that way). `held` are the lanes that this dispatcher knows to be its own: one that
 * is its own without its knowing (the connection broke before it heard) is leased again, since nobody else would.
 */
export async function leaseLanes(
  on: Statements,
  dispatcherId: string,
  named: string[] | null,
  most: number,
  held: string[] = [],
): Promise<LeasedLane[]> {
  return on.run<LeasedLane>(
    named ? 'lease_named_lanes' : 'lease_due_lanes',
    `with due as (
       select l.webhook_id, s.organisation_id, l.owner is not null as taken_over,
         row_number() over (partition by s.organisation_id order by l.webhook_id) as turn
       from endpoint_queues l
       left join dispatchers o on o.id = l.owner
       join webhooks w on w.id = l.webhook_id
       join projects p on p.id = w.project_id
       join workspaces s on s.id = p.workspace_id
       where ${named ? 'l.webhook_id = any($3)' : '$3::uuid[] is null'}
         and (l.owner is null or (l.owner = $1 and l.webhook_id <> all($6)) or o.lease_until is null or o.lease_until < now())
         and (l.trial_at is null or l.trial_at <= now())
         and exists (
           select from deliveries d
           where d.webhook_id = l.webhook_id and d.status = 'pending' and d.due_at <= now()
             and d.id >= $4 and d.id < $5)
     ), chosen as (
       select l.webhook_id, d.organisation_id, d.taken_over
       from (select * from due order by turn, webhook_id limit $2) d
       join endpoint_queues l on l.webhook_id = d.webhook_id
       where l.owner is null or (l.owner = $1 and l.webhook_id <> all($6))
         or not exists (select from dispatchers o where o.id = l.owner and o.lease_until >= now())
       for update of l skip locked
     )
     update endpoint_queues l set owner = $1, fence = l.fence + 1
     from chosen
     where l.webhook_id = chosen.webhook_id
     returning l.webhook_id as "webhookId", chosen.organisation_id as "organisationId", l.fence,
       chosen.taken_over as "takenOver"`,
    [dispatcherId, most, named, ...livingIds(), held],
  )
}

export async function releaseLanes(on: Statements, dispatcherId: string, lanes: LeasedLane[]): Promise<void> {
  await on.run(
    'release_lanes',
    'update endpoint_queues set owner = null where owner = $1 and webhook_id = any($2)',
    [dispatcherId, lanes.map(({ webhookId }) => webhookId)],
  )
}

/** At the end of a process's life: all that it held is free at once. */
export async function retire(on: Statements, dispatcherId: string): Promise<void> {
  await on.run('retire_lanes', 'update endpoint_queues set owner = null where owner = $1', [dispatcherId])
  await on.run('retire', 'delete from dispatchers where id = $1', [dispatcherId])
}

/** Rows of processes that died long ago. */
export async function forgetDeadDispatchers({ pool }: Pick<Database, 'pool'>): Promise<void> {
  await pool.query(`delete from dispatchers d where lease_until < now() - interval '1 day'
    and not exists (select from endpoint_queues l where l.owner = d.id)`)
}
