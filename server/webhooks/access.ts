import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { isUuid } from '../../platform/ids.ts'
import { Problem } from '../api/problems.ts'
import type { ChangeContext, Context } from '../api/route-spec.ts'
import { audit, includesTier, type ProjectTarget, TIERS, type Tier } from '../auth/index.ts'
import { tenantIdsOf } from '../tenancy/index.ts'

/** The access that every webhook route requires. */
export const WEBHOOK_ACCESS = {
  kind: 'project',
  capability: 'workspace:webhooks',
  tier: 'changemaker',
} as const

/** The tiers whose webhooks get deliveries, as a list for SQL statements. */
export const tiersWithWebhooks = (tierGates: boolean): Tier[] =>
  TIERS.filter((tier) => !tierGates || includesTier(tier, WEBHOOK_ACCESS.tier))

export type WebhookRow = Selectable<Tables['webhooks']>

const webhookById = (db: Db | Tx, id: string) =>
  db.selectFrom('webhooks').selectAll().where('id', '=', id).where('deleted_at', 'is', null)

/** A webhook of the project. */
export async function findWebhook(
  { db, target }: Context<ProjectTarget>,
  id: string | undefined,
): Promise<WebhookRow> {
  const row = isUuid(id) ? await webhookById(db, id).executeTakeFirst() : undefined
  if (row?.project_id !== target.id) throw new Problem('not_found')
  return row
}

export const lockWebhook = (tx: Tx, id: string): Promise<WebhookRow> =>
  webhookById(tx, id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new Problem('not_found'))

/** Writes the audit entry of a change in the project. */
export async function auditChange(
  context: ChangeContext<ProjectTarget>,
  action: string,
  target: { kind: 'webhook' | 'delivery' | 'replay'; id: string },
  details: Record<string, unknown> = {},
): Promise<void> {
  const { tx } = context
  await audit(tx, context, { action, ...(await tenantIdsOf(tx, context.target)), target, details })
}
