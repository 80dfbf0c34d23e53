import { sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../../api/route-spec.ts'
import type { OrganisationTarget } from '../../auth/index.ts'
import { conversationColumns } from '../conversation-usage.ts'
import { highestTier, type Limits } from '../limits.ts'
import type { OrganisationUsage } from './schema.ts'

type Usage = z.output<typeof OrganisationUsage>

export async function readOrganisationUsage(
  { db, target }: Context<OrganisationTarget>,
  limits: Limits,
): Promise<Usage> {
  const { rows } = await sql<Omit<Usage, 'organisation_id' | 'limits'>>`
    with own as (select * from workspaces where organisation_id = ${target.id} and deleted_at is null),
      held as (select p.* from projects p join own on own.id = p.workspace_id where p.deleted_at is null)
    select
      (select count(*) from organisation_members where organisation_id = ${target.id}) as members,
      (select count(*) from own) as workspaces,
      (select count(*) from held) as projects,
      (select count(*) from held where is_open) as open_projects,
      (select count(*) from invitations
        where organisation_id = ${target.id} and state = 'pending' and expires_at > now()) as pending_invitations,
      (select coalesce(jsonb_object_agg(tier, count), '{}') from
        (select tier, count(*) from own group by tier) tiers) as by_tier,
      ${conversationColumns(sql`select id from held`)}`.execute(db)
  const [counts] = rows
  if (!counts) throw new Error('PostgreSQL returned no usage')
  const tier = highestTier(Object.keys(counts.by_tier))
  const max = { members: limits.maxOf('members', tier), workspaces: limits.maxOf('workspaces', tier) }
  return { organisation_id: target.id, ...counts, limits: max }
}
