import { sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../../api/route-spec.ts'
import type { Tier, WorkspaceTarget } from '../../auth/index.ts'
import { conversationColumns } from '../conversation-usage.ts'
import type { Limits } from '../limits.ts'
import type { WorkspaceUsage } from './schema.ts'

type Usage = z.output<typeof WorkspaceUsage>

export async function readWorkspaceUsage(
  { db, target }: Context<WorkspaceTarget>,
  limits: Limits,
): Promise<Usage> {
  const { rows } = await sql<Omit<Usage, 'workspace_id' | 'tier' | 'limits'>>`
    select
      (select count(*) from workspace_members where workspace_id = ${target.id}) as members,
      (select count(*) from projects where workspace_id = ${target.id} and deleted_at is null) as projects,
      (select count(*) from projects where workspace_id = ${target.id} and deleted_at is null and is_open) as open_projects,
      (select count(*) from invitations
        where workspace_id = ${target.id} and state = 'pending' and expires_at > now()) as pending_invitations,
      ${conversationColumns(sql`select id from projects where workspace_id = ${target.id} and deleted_at is null`)}`.execute(
    db,
  )
  const [counts] = rows
  if (!counts) throw new Error('PostgreSQL returned no usage')
  const tier = target.tier as Tier
  const max = {
    members: limits.maxOf('members', tier),
    projects: limits.maxOf('projects', tier),
    pending_invitations: limits.maxOf('invitations', tier),
    stored_bytes: limits.maxOf('storage', tier),
  }
  return { workspace_id: target.id, tier, ...counts, limits: max }
}
