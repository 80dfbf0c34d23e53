import { z } from 'zod'
import { newestFirst, pageQuery } from '../api/pagination.ts'
import { type Answer, found } from '../api/response.ts'
import { id } from '../api/schema.ts'
import { type Context, TIERS } from '../auth/index.ts'
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
