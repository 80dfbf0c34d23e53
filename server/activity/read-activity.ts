import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../database/database.ts'
import { TIERS, type Tier, type WorkspaceCapability, workspaceRolesWith } from '../auth/index.ts'
import { HEALTH_STATE, tiersWithWebhooks } from '../webhooks/index.ts'
import type { Activity } from './schema.ts'

type Result = z.output<typeof Activity>
type Attention = Result['attention']

const MAX_RECENT = 8
const MAX_LISTED = 20
const MAX_COUNTED = 1_000
/** A report that failed long ago was given up. */
const REPORT_DAYS = 7

/** Every statement starts from the user's projects and reads the newest rows of each by an index. */
export async function readActivity(
  db: Db,
  userId: string,
  { tierGates }: { tierGates: boolean },
): Promise<Result> {
  const mine = (capability: WorkspaceCapability, tiers: readonly Tier[] = TIERS): RawBuilder<unknown> => sql`
    select p.id as project_id, p.name as project_name
    from workspace_members m
    join workspaces w on w.id = m.workspace_id and w.deleted_at is null and w.tier = any(${tiers})
    join projects p on p.workspace_id = w.id and p.deleted_at is null
    where m.user_id = ${userId} and m.role = any(${workspaceRolesWith(capability)})`
  const [conversations, reports, webhooks, failed, failedReports, invitations] = await Promise.all([
    newestConversations(db, mine('conversation:read')),
    newestReports(db, mine('report:read')),
    webhooksInTrouble(db, mine('workspace:webhooks', tiersWithWebhooks(tierGates))),
    failedConversations(db, mine('conversation:read')),
    failedReportsOf(db, mine('report:read')),
    expiredInvitations(db, userId),
  ])
  const attention = { webhooks, conversations: failed, reports: failedReports, invitations }
  return { conversations, reports, attention }
}

async function newestConversations(db: Db, mine: RawBuilder<unknown>): Promise<Result['conversations']> {
  const { rows } = await sql<Result['conversations'][number]>`
    select c.id, p.project_id, p.project_name, c.title, c.participant_name, c.status, c.started_at
    from (${mine}) p cross join lateral (
      select * from conversations where project_id = p.project_id and deleted_at is null
      order by id desc limit ${MAX_RECENT}
    ) c
    order by c.id desc limit ${MAX_RECENT}`.execute(db)
  return rows
}

async function newestReports(db: Db, mine: RawBuilder<unknown>): Promise<Result['reports']> {
  const { rows } = await sql<Result['reports'][number]>`
    select r.id, p.project_id, p.project_name, r.title, r.status, r.published, r.created_at
    from (${mine}) p cross join lateral (
      select * from reports where project_id = p.project_id and deleted_at is null
      order by id desc limit ${MAX_RECENT}
    ) r
    order by r.id desc limit ${MAX_RECENT}`.execute(db)
  return rows
}

/** Not those that a member disabled: that was on purpose. */
async function webhooksInTrouble(db: Db, mine: RawBuilder<unknown>): Promise<Attention['webhooks']> {
  const { rows } = await sql<Omit<Attention['webhooks'][number], 'host'> & { url: string }>`
    select w.id, p.project_id, p.project_name, w.name, w.url, w.disabled_reason, q.consecutive_failures,
      ${HEALTH_STATE} as state
    from (${mine}) p
    join webhooks w on w.project_id = p.project_id and w.deleted_at is null
    join endpoint_queues q on q.webhook_id = w.id
    where ${HEALTH_STATE} = 'failing' or w.disabled_reason <> 'manual'
    order by w.id desc limit ${MAX_LISTED}`.execute(db)
  return rows.map(({ url, ...row }) => ({ ...row, host: new URL(url).host }))
}

async function failedConversations(db: Db, mine: RawBuilder<unknown>): Promise<Attention['conversations']> {
  const { rows } = await sql<Attention['conversations'][number]>`
    select p.project_id, p.project_name, c.failed
    from (${mine}) p cross join lateral (
      select count(*)::int as failed, max(id::text) as newest from (
        select id from conversations where project_id = p.project_id and status = 'failed' and deleted_at is null
        order by id desc limit ${MAX_COUNTED}
      ) f
    ) c
    where c.failed > 0
    order by c.newest desc limit ${MAX_LISTED}`.execute(db)
  return rows
}

async function failedReportsOf(db: Db, mine: RawBuilder<unknown>): Promise<Attention['reports']> {
  const { rows } = await sql<Attention['reports'][number]>`
    select r.id, p.project_id, p.project_name, r.title, r.created_at
    from (${mine}) p
    join reports r on r.project_id = p.project_id and r.deleted_at is null
      and r.id >= uuid_floor(now() - ${REPORT_DAYS} * interval '1 day') and r.status = 'failed'
    order by r.id desc limit ${MAX_LISTED}`.execute(db)
  return rows
}

/** Invitations of a user who loses the role that allows them are withdrawn, and so are those to what is deleted. */
async function expiredInvitations(db: Db, userId: string): Promise<Attention['invitations']> {
  const { rows } = await sql<Attention['invitations'][number]>`
    select i.id, i.organisation_id, i.workspace_id, coalesce(w.name, o.name) as scope_name, i.email, i.role,
      i.expires_at as expired_at
    from invitations i
    join organisations o on o.id = i.organisation_id
    left join workspaces w on w.id = i.workspace_id
    where i.invited_by = ${userId} and i.state = 'pending' and i.expires_at < now()
    order by i.expires_at desc limit ${MAX_LISTED}`.execute(db)
  return rows
}
