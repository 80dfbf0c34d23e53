import type { Selectable } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import { isUuid } from '../../platform/ids.ts'
import { Problem } from '../api/problems.ts'
import type { RouteContext as Context } from '../api/route-spec.ts'
import { WEBHOOK_TIER } from './tier.ts'

/** What every webhook operation asks of its caller. */
export const WEBHOOK_ACCESS = {
  kind: 'project',
  capability: 'workspace:webhooks',
  tier: WEBHOOK_TIER,
} as const
export type WebhookAccess = typeof WEBHOOK_ACCESS

export type WebhookRow = Selectable<Tables['webhooks']>

/** The webhook that the path names, of the project that it names. */
export async function findWebhook({ db, target, params }: Context<WebhookAccess>): Promise<WebhookRow> {
  const { id } = params
  const row = isUuid(id)
    ? await db
        .selectFrom('webhooks')
        .selectAll()
        .where('id', '=', id)
        .where('project_id', '=', target.id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
    : undefined
  if (!row) throw new Problem('not_found')
  return row
}
