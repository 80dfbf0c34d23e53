import { sql } from 'kysely'
import type { Db, Tx } from '../../../database/database.ts'
import { deliveryLog } from '../../../delivery/index.ts'
import { Problem } from '../../api/problems.ts'
import { HEALTH_STATE, type HealthState } from './health-state.ts'
import type { Webhook } from './schema.ts'

/** Counting stops here: the number is only there to decide whether to replay. */
const MAX_COUNTED = 10_000

type Row = Omit<Webhook, 'health'> & Webhook['health']

export interface Selection {
  projectId?: string
  webhookId?: string
  state?: HealthState | undefined
  /** Page cursor: only webhooks older than this id. */
  after?: string | null
  limit?: number
}

/** Webhooks as the API returns them, newest first. The secret is not selected. */
export async function readWebhooks(db: Db | Tx, selection: Selection): Promise<Webhook[]> {
  const { projectId, webhookId, state, after, limit = 1_000 } = selection
  const { rows } = await sql<Row>`
    select w.id, w.project_id, w.name, w.url, w.events, w.enabled, w.payload, w.secret is not null as has_secret,
      w.secret_strength, w.created_at, w.updated_at, w.disabled_reason, ${HEALTH_STATE} as state, q.consecutive_failures, q.last_attempt_at,
      q.last_success_at, q.last_status, pending.created_at as oldest_pending_at, missed.count as missed
    from webhooks w
    join endpoint_queues q on q.webhook_id = w.id
    join projects p on p.id = w.project_id and p.deleted_at is null
    left join lateral (
      select min(d.created_at) as created_at from (
        select created_at from deliveries d
        where d.webhook_id = w.id and d.status = 'pending' and d.id >= ${sql.raw(deliveryLog.FIRST_PENDING_ID)}
        order by d.due_at limit 100
      ) d
    ) pending on true
    cross join lateral (
      select count(*) from (
        select from deliveries d
        where d.webhook_id = w.id and d.status = 'missed' and d.superseded_by is null
        limit ${MAX_COUNTED}
      ) d
    ) missed
    where w.deleted_at is null
      and (${projectId ?? null}::uuid is null or w.project_id = ${projectId ?? null})
      and (${webhookId ?? null}::uuid is null or w.id = ${webhookId ?? null})
      and (${state ?? null}::text is null or ${HEALTH_STATE} = ${state ?? null})
      and (${after ?? null}::uuid is null or w.id < ${after ?? null})
    order by w.id desc
    limit ${limit}`.execute(db)
  return rows.map(toWebhook)
}

export async function readWebhook(db: Db | Tx, webhookId: string): Promise<Webhook> {
  const [record] = await readWebhooks(db, { webhookId })
  if (!record) throw new Problem('not_found')
  return record
}

function toWebhook(row: Row): Webhook {
  const { state, disabled_reason, consecutive_failures, last_attempt_at, last_success_at, ...rest } = row
  const { last_status, oldest_pending_at, missed, ...record } = rest
  return {
    ...record,
    health: {
      state,
      consecutive_failures,
      last_attempt_at,
      last_success_at,
      last_status,
      disabled_reason,
      oldest_pending_at,
      missed,
    },
  }
}

/** Without health, which changes with every delivery and must not fail a conditional update, and without a new secret. */
export function etagFieldsOf(record: Webhook & { secret?: string | undefined }): Omit<Webhook, 'health'> {
  const { health: _health, secret: _secret, ...fields } = record
  return fields
}
