import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../api/route-spec.ts'
import { conversationColumns, conversationUsage } from '../tenancy/index.ts'

const count = z.number().int()

export const ServiceUsage = z
  .object({
    organisations: count,
    workspaces: count,
    projects: count,
    open_projects: count,
    ...conversationUsage,
    by_tier: z.record(z.string(), count).describe('Number of workspaces by tier'),
  })
  .meta({ id: 'ServiceUsage' })

type Usage = z.output<typeof ServiceUsage>

export async function readServiceUsage({ db }: Context): Promise<Usage> {
  const { rows } = await sql<Usage>`
    select
      (select count(*) from organisations where deleted_at is null) as organisations,
      (select count(*) from workspaces where deleted_at is null) as workspaces,
      (select count(*) from projects where deleted_at is null) as projects,
      (select count(*) from projects where deleted_at is null and is_open) as open_projects,
      (select coalesce(jsonb_object_agg(tier, count), '{}') from
        (select tier, count(*) from workspaces where deleted_at is null group by tier) tiers) as by_tier,
      ${conversationColumns(sql`select id from projects where deleted_at is null`)}`.execute(db)
  const [usage] = rows
  if (!usage) throw new Error('PostgreSQL returned no usage')
  return usage
}
