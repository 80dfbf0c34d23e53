import { sql } from 'kysely'
import type { Tx } from '../../database/database.ts'
import { deliveriesOfEvents } from '../log/deliveries-of-events.ts'
import { endDeliveriesOfReplay } from '../statements/end-deliveries.ts'
import { finishReplay } from './run-replays.ts'

/**
 * Ends a replay and cancels its pending deliveries. Requests in flight finish, and count if they succeed. Returns the state that the
 * replay had, with its webhook, or null if it does not exist.
 */
export async function cancelReplay(tx: Tx, replayId: string) {
  // Waits for a worker that is inserting deliveries, so that those are cancelled as well.
  const replay = await tx
    .selectFrom('replays')
    .select(['state', 'webhook_id'])
    .where('id', '=', replayId)
    .forUpdate()
    .executeTakeFirst()
  if (replay?.state === 'running') {
    await finishReplay(tx, replayId, 'cancelled')
    await cancelPending(tx, replayId, replay.webhook_id)
  }
  return replay ?? null
}

/** The failed or missed deliveries that the cancelled ones replaced can be replayed again. */
async function cancelPending(tx: Tx, replayId: string, webhookId: string): Promise<void> {
  const cancelled = await endDeliveriesOfReplay(tx, replayId)
  const events = sql`select id, occurred_at from events where id = any(${cancelled.map(({ event_id }) => event_id)}::uuid[])`
  await sql`
    update deliveries d set superseded_by = null
    from (${deliveriesOfEvents(events, [webhookId])}) original
    where original.superseded_by = any(${cancelled.map(({ id }) => id)}::uuid[])
      and d.webhook_id = ${webhookId} and d.id = original.id`.execute(tx)
}
