import { z } from 'zod'
import { type Context, TIERS } from '../access/index.ts'
import { type Answer, found } from '../kernel/answer.ts'
import { newestFirst, pageQuery } from '../kernel/page.ts'
import { id } from '../kernel/schema.ts'
import { toWorkspace } from '../tenancy/index.ts'

export const workspaceQuery = pageQuery.extend({
  organisation_id: id.optional(),
  tier: z.enum(TIERS).optional(),
})

export async function listAllWorkspaces({
  db,
  query,
}: Context<{ kind: 'staff' }, unknown, z.output<typeof workspaceQuery>>): Promise<Answer> {
  const { organisation_id, tier } = query
  const rows = db
    .selectFrom('workspaces')
    .selectAll()
    .where('deleted_at', 'is', null)
    .$if(organisation_id !== undefined, (q) => q.where('organisation_id', '=', organisation_id as string))
    .$if(tier !== undefined, (q) => q.where('tier', '=', tier as string))
  return found(await newestFirst(rows, query, toWorkspace))
}
