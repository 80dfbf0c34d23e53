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

const CLOSE = statement<{ webhookId: string }>(
  'close_breaker',
  `update endpoint_queues set ${CLOSE_BREAKER} where webhook_id = :webhookId`,
)

/** For a webhook that was enabled again, or has a new URL: earlier failures say nothing about it. */
export async function closeBreaker(tx: Tx, webhookId: string): Promise<void> {
  await execute(tx, CLOSE, { webhookId })
  await notifyDispatchers(tx, [webhookId])
}
