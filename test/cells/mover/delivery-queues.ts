import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type CellAddress, connect } from './session.ts'

/** The endpoint queues of an organisation, which no dispatcher of the source sends from. */
export interface TakenQueues {
  /** The number of queues whose requests did not end in time. The target sends their deliveries again. */
  interrupted: number
  /** Gives them back, unless their rows were deleted. */
  release(): Promise<void>
}

/** So short that dispatchers take the mover for one that missed its renewals: they neither hand queues over to it nor count it. */
export const LEASE_MS = 5_000
const RENEW_EVERY_MS = 1_000
const POLL_MS = 20
/** A queue whose requests take longer is taken anyway. */
const MAX_WAIT_MS = 2_000

/**
 * Takes the queues as a dispatcher that never sends. A delivery stays pending and due until its result is recorded, so a queue without
 * due deliveries has no request in flight and loses none. If the mover dies, its lease ends, and the source sends again.
 */
export async function takeQueues(cell: CellAddress, organisation: string): Promise<TakenQueues> {
  const client = await connect(cell)
  const id = randomUUID()
  const renew = () => client.query(RENEW, [id])
  await renew()
  const timer = setInterval(() => void renew().catch(() => {}), RENEW_EVERY_MS)
  const began = performance.now()
  let interrupted = 0
  for (;;) {
    const isForced = performance.now() - began > MAX_WAIT_MS
    const { rowCount } = await client.query(TAKE, [organisation, id, isForced])
    if (isForced) interrupted = rowCount ?? 0
    const { rows } = await client.query<{ left: number }>(LEFT, [organisation, id])
    if (rows[0]?.left === 0) break
    await pause(POLL_MS)
  }
  return {
    interrupted,
    release: async () => {
      clearInterval(timer)
      await client.query('update endpoint_queues set owner = null where owner = $1', [id])
      await client.query('delete from dispatchers where id = $1', [id])
      await client.end()
    },
  }
}

const RENEW = `insert into dispatchers (id, host, pid, lease_until) values ($1, 'cell mover', 0, now() + interval '${LEASE_MS} ms')
  on conflict (id) do update set lease_until = excluded.lease_until`

const OF_ORGANISATION = `webhook_id in (
  select w.id from webhooks w join projects p on p.id = w.project_id join workspaces s on s.id = p.workspace_id
  where s.organisation_id = $1)`

/** An open circuit breaker sends nothing before the time of its trial. */
const TAKE = `update endpoint_queues q set owner = $2, fence = q.fence + 1
  where q.owner is distinct from $2::uuid and ${OF_ORGANISATION} and ($3 or q.trial_at > now() + interval '1 s' or not exists (
    select from deliveries d
    where d.webhook_id = q.webhook_id and d.status = 'pending' and d.due_at <= now() + interval '0.2 s'))`

const LEFT = `select count(*)::integer as left from endpoint_queues
  where owner is distinct from $2::uuid and ${OF_ORGANISATION}`
