import { sql } from 'kysely'
import type { Tx } from '../../../database/database.ts'
import { disableWebhook } from '../../../delivery/index.ts'
import { Problem } from '../../api/problems.ts'

/** Only staff can enable the webhook again, even if it was already disabled. Returns its workspace. */
export async function disableForStaff(tx: Tx, webhookId: string): Promise<string> {
  await disableWebhook(tx, webhookId, 'staff')
  const { rows } = await sql<{ workspace_id: string }>`
    update webhooks w set disabled_reason = 'staff', updated_at = now()
    from projects p
    where w.id = ${webhookId} and w.deleted_at is null and p.id = w.project_id and p.deleted_at is null
    returning p.workspace_id`.execute(tx)
  const row = rows[0]
  if (!row) throw new Problem('not_found')
  return row.workspace_id
}
