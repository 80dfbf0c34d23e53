import type { Selectable } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import { isUuid } from '../../platform/ids.ts'
import { Problem } from '../api/problems.ts'
import type { Context } from '../api/route-spec.ts'
import type { ProjectTarget } from '../auth/index.ts'
import { WEBHOOK_TIER } from './tier.ts'

/** The access that every webhook route requires. */
export const WEBHOOK_ACCESS = {
  kind: 'project',
  capability: 'workspace:webhooks',
  tier: WEBHOOK_TIER,
} as const

export type WebhookRow = Selectable<Tables['webhooks']>

/** A webhook of the project. */
export async function findWebhook(
  { db, target }: Context<ProjectTarget>,
  id: string | undefined,
): Promise<WebhookRow> {
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
