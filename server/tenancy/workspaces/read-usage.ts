import { sql } from 'kysely'
import { type Answer, found } from '../../api/response.ts'
import type { Context } from '../../auth/index.ts'
import { conversationColumns } from '../conversation-usage.ts'

interface Counts {
  members: number
  projects: number
  open_projects: number
  pending_invitations: number
}

export async function readWorkspaceUsage({
  db,
  target,
}: Context<{ kind: 'workspace'; capability: 'workspace:usage' }>): Promise<Answer> {
  const { rows } = await sql<Counts>`
    select
      (select count(*) from workspace_members where workspace_id = ${target.id}) as members,
      (select count(*) from projects where workspace_id = ${target.id} and deleted_at is null) as projects,
      (select count(*) from projects where workspace_id = ${target.id} and deleted_at is null and is_open) as open_projects,
      (select count(*) from invitations
        where workspace_id = ${target.id} and state = 'pending' and expires_at > now()) as pending_invitations,
      ${conversationColumns(sql`select id from projects where workspace_id = ${target.id} and deleted_at is null`)}`.execute(
    db,
  )
  return found({ workspace_id: target.id, tier: target.tier, ...rows[0] })
}
