import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../database/database.ts'
import { Problem } from '../../server/api/problems.ts'
import { DELIVERY_HOURS } from '../../server/webhooks/events/emit.ts'

export type DisabledReason = 'manual' | 'gone' | 'failing' | 'staff' | 'secret_unreadable'

/** Rows changed at once: more would hold locks for seconds, and the rest is done in the background. */
const BATCH = 5_000

/** Disables a webhook. What is pending becomes missed: kept, and replayable. False: it was disabled already. */
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
  await settleWebhook(tx, webhookId, 'missed')
  return true
}

/** Whether it was enabled or not: from now on only staff can enable it. Answers with its workspace. */
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

/** Ends what is pending of one webhook, up to a batch. */
export async function settleWebhook(
  db: Db | Tx,
  webhookId: string,
  status: 'missed' | 'cancelled',
): Promise<number> {
  const { numAffectedRows } = await sql`
    update deliveries d set status = ${status}, finished_at = now()
    from (
      select id from deliveries
      where webhook_id = ${webhookId} and status = 'pending' and id >= uuid_floor(now() - interval '5 days')
      limit ${BATCH} for update skip locked
    ) as pending
    where d.webhook_id = ${webhookId} and d.id = pending.id and d.status = 'pending'`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/**
 * Ends whatever is pending and may not be sent any more. Dispatchers refuse to send it anyway; this is what makes it
 * visible. Answers how many there were, up to a batch of each kind.
 */
export async function settleHalted(db: Db, tiers: string[]): Promise<number> {
  const counts = [await settleForbidden(db, tiers), await settleInterrupted(db), await expire(db)]
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Of webhooks that are disabled, deleted, below the tier, or in a deleted project or workspace. */
const settleForbidden = (db: Db, tiers: string[]): Promise<number> =>
  settle(
    db,
    sql`
      select d.webhook_id, d.id, w.becomes
      from (
        select w.id, case
          when w.deleted_at is not null or p.deleted_at is not null or s.deleted_at is not null then 'cancelled'
          when not w.enabled or s.tier <> all(${tiers}) then 'missed'
        end as becomes
        from webhooks w
        join projects p on p.id = w.project_id
        join workspaces s on s.id = p.workspace_id
      ) w
      cross join lateral (
        select webhook_id, id from deliveries
        where webhook_id = w.id and status = 'pending' and id >= uuid_floor(now() - interval '5 days')
        limit ${BATCH}
      ) d
      where w.becomes is not null`,
  )

/** What was pending when its webhook was disabled, though it has been enabled again. */
const settleInterrupted = (db: Db): Promise<number> =>
  settle(
    db,
    sql`
      select d.webhook_id, d.id, 'missed' as becomes
      from webhooks w
      join deliveries d on d.webhook_id = w.id and d.status = 'pending' and d.created_at <= w.disabled_at
        and d.id >= uuid_floor(now() - interval '5 days')
      where w.disabled_at > now() - interval '5 days'`,
  )

/** What was not delivered in its 76 hours. */
const expire = (db: Db): Promise<number> =>
  settle(
    db,
    sql`
      select d.webhook_id, d.id, 'failed' as becomes
      from deliveries d
      where d.status = 'pending' and d.expires_at <= now()
        and d.id < uuid_floor(now() - make_interval(hours => ${DELIVERY_HOURS - 1}))
        and d.id >= uuid_floor(now() - interval '10 days')`,
  )

async function settle(db: Db, selection: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    update deliveries d set status = ended.becomes, finished_at = now()
    from (${selection} limit ${BATCH}) as ended
    where d.webhook_id = ended.webhook_id and d.id = ended.id and d.status = 'pending'`.execute(db)
  return Number(numAffectedRows ?? 0)
}
