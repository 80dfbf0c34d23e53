import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/database.ts'
import { deliveryLog } from '../../../delivery/index.ts'
import { isUuid } from '../../../platform/ids.ts'
import { cursorKey, type Page, toPage } from '../../api/pagination.ts'
import type { Context } from '../../api/route-spec.ts'
import type { ProjectTarget } from '../../auth/index.ts'
import { allOf, deliveryIdsOf } from './of-events.ts'
import type { Delivery, DeliveryQuery, ProjectDeliveryQuery } from './schema.ts'

export async function selectDeliveries(
  db: Db,
  webhookIds: string[],
  where: RawBuilder<unknown>,
  limit: number,
): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    select d.id, d.webhook_id, d.event_id, d.event_type as event, d.event_at, d.kind, d.payload as payload_kind,
      case when d.id = any(sending.ids) then 'delivering' else d.status end as status, d.attempts, d.created_at,
      case when d.status = 'pending' then d.due_at end as next_attempt_at, d.finished_at, d.last_status, d.last_error,
      d.replay_id
    from unnest(${webhookIds}::uuid[]) as listed(id)
    cross join lateral (select array(${sql.raw(deliveryLog.DELIVERING)}) as ids) sending
    -- Reads the newest of each webhook by index; one scan for all webhooks would read and sort all deliveries.
    cross join lateral (
      select * from deliveries d where d.webhook_id = listed.id and ${where} order by d.id desc limit ${limit}
    ) d
    order by d.id desc
    limit ${limit}`.execute(db)
  return rows
}

export async function listDeliveries(
  { db, target }: Context<ProjectTarget>,
  query: DeliveryQuery,
  webhookIds: string[],
): Promise<Page<Delivery>> {
  const after = cursorKey(query, isUuid)
  const ids = await deliveryIdsOf(db, target.id, webhookIds, query)
  const rows = await selectDeliveries(db, webhookIds, matching(query, after, ids), query.limit + 1)
  return toPage(rows, query.limit, (row) => row.id)
}

/** Without the deliveries of deleted webhooks. */
export async function listProjectDeliveries(
  context: Context<ProjectTarget>,
  query: ProjectDeliveryQuery,
): Promise<Page<Delivery>> {
  const webhooks = await context.db
    .selectFrom('webhooks')
    .select('id')
    .where('project_id', '=', context.target.id)
    .where('deleted_at', 'is', null)
    .execute()
  const ids = webhooks.map(({ id }) => id).filter((id) => id === (query.webhook_id ?? id))
  return listDeliveries(context, query, ids)
}

/** The bounds on ids let PostgreSQL skip partitions. */
function matching(
  { status, event, since, until }: DeliveryQuery,
  after: string | null,
  ids: string[] | null,
): RawBuilder<unknown> {
  return allOf(
    ids && sql`d.id = any(${ids}::uuid[])`,
    after !== null && sql`d.id < ${after}`,
    event && sql`d.event_type = ${event}`,
    since && sql`d.id >= uuid_floor(${since}::timestamptz)`,
    until && sql`d.id < uuid_floor(${until}::timestamptz)`,
    status && statusIs(status),
  )
}

function statusIs(status: NonNullable<DeliveryQuery['status']>): RawBuilder<unknown> {
  if (status === 'delivering') return sql`d.status = 'pending' and d.id = any(sending.ids)`
  if (status === 'pending') return sql`d.status = 'pending' and d.id <> all(sending.ids)`
  return sql`d.status = ${status}`
}
