import { sql } from 'kysely'
import type { Tx } from '../../database/database.ts'
import { notifyDispatchers } from '../notifications.ts'
import { CLOSE_BREAKER } from '../rules/circuit-breaker.ts'
import { endDeliveries } from './end-deliveries.ts'
import { execute, statement } from './statement.ts'

export type DisabledReason = 'manual' | 'gone' | 'failing' | 'staff' | 'secret_unreadable'

/** Its pending deliveries become missed, and can be replayed. Returns false when the webhook was disabled already. */
export async function disableWebhook(tx: Tx, webhookId: string, reason: DisabledReason): Promise<boolean> {
  const row = await tx
    .updateTable('webhooks')
    .set({ enabled: false, disabled_reason: reason, disabled_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', webhookId)
    .where('enabled', '=', true)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!row) return false
  await endDeliveries(tx, webhookId, 'missed')
  return true
}

/** Its pending deliveries and running replays are cancelled. Returns false when the webhook was deleted already. */
export async function deleteWebhook(tx: Tx, webhookId: string): Promise<boolean> {
  const row = await tx
    .updateTable('webhooks')
    // Nothing is signed with the secrets any more, so they are erased immediately.
    .set({ deleted_at: sql<string>`now()`, secret: null, previous_secret: null })
    .where('id', '=', webhookId)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!row) return false
  await endDeliveries(tx, webhookId, 'cancelled')
  await tx
    .updateTable('replays')
    .set({ state: 'cancelled', finished_at: sql`now()` })
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'running')
    .execute()
  return true
}

const CLOSE = statement<{ webhookId: string }>(
  'close_breaker',
  `update endpoint_queues set ${CLOSE_BREAKER} where webhook_id = :webhookId`,
)

/** For a webhook that was enabled again, or has a new URL: earlier failures say nothing about it. */
export async function closeBreaker(tx: Tx, webhookId: string): Promise<void> {
  await execute(tx, CLOSE, { webhookId })
  await notifyDispatchers(tx, [webhookId])
}
