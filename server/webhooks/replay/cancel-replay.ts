import { sql } from 'kysely'
import type { Tx } from '../../../database/database.ts'
import { Problem } from '../../api/problems.ts'
import type { ChangeContext } from '../../api/route-spec.ts'
import type { ProjectTarget } from '../../auth/index.ts'
import { auditChange } from '../access.ts'
import { ofEvents } from '../deliveries/of-events.ts'

/** Cancels the pending deliveries too. Requests in flight finish, and count if they succeed. */
export async function cancelReplay(context: ChangeContext<ProjectTarget>, replayId: string): Promise<void> {
  const { tx } = context
  // Waits for a worker that is inserting deliveries, so that those are cancelled as well.
  const replay = await tx
    .selectFrom('replays')
    .select(['state', 'webhook_id'])
    .where('id', '=', replayId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new Problem('not_found'))
  if (replay.state === 'done') throw new Problem('replay_finished')
  if (replay.state === 'cancelled') return
  await tx
    .updateTable('replays')
    .set({ state: 'cancelled', finished_at: sql`now()` })
    .where('id', '=', replayId)
    .execute()
  await cancelPending(tx, replayId, replay.webhook_id)
  const details = { webhook_id: replay.webhook_id }
  await auditChange(context, 'replay.cancelled', { kind: 'replay', id: replayId }, details)
}

/** The failed or missed deliveries that the cancelled ones replaced can be replayed again. */
async function cancelPending(tx: Tx, replayId: string, webhookId: string): Promise<void> {
  const { rows } = await sql<{ id: string; event_id: string }>`
    update deliveries set status = 'cancelled', finished_at = now()
    where replay_id = ${replayId} and status = 'pending'
    returning id, event_id`.execute(tx)
  const events = sql`select id, occurred_at from events where id = any(${rows.map(({ event_id }) => event_id)}::uuid[])`
  await sql`
    update deliveries d set superseded_by = null
    from (${ofEvents(events, [webhookId])}) original
    where original.superseded_by = any(${rows.map(({ id }) => id)}::uuid[])
      and d.webhook_id = ${webhookId} and d.id = original.id`.execute(tx)
}
