import type { Tx } from '../../database/database.ts'
import { JOIN_TENANT, UNSENT_STATUS, type UnsentStatus } from '../rules/sendable.ts'
import { execute, statement } from './statement.ts'

const READ = statement<{ webhookId: string; tiers: string[] }, { status: UnsentStatus }>(
  'read_unsent_status',
  `select ${UNSENT_STATUS} as status from webhooks w ${JOIN_TENANT} where w.id = :webhookId`,
)

/** Whether deliveries can be sent to the webhook: `pending`, or how they end without being sent. */
export async function readUnsentStatus(tx: Tx, webhookId: string, tiers: string[]): Promise<UnsentStatus> {
  const { rows } = await execute(tx, READ, { webhookId, tiers })
  return rows[0]?.status ?? 'cancelled'
}
