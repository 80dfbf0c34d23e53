import { z } from 'zod'
import { newestFirst, pageQuery } from '../api/pagination.ts'
import type { Context } from '../api/route-spec.ts'
import { id } from '../api/schema.ts'
import { TIERS } from '../auth/index.ts'
import { toWorkspace } from '../tenancy/index.ts'

export const workspaceQuery = pageQuery.extend({
  organisation_id: id.optional(),
  tier: z.enum(TIERS).optional(),
})

export function listAllWorkspaces({ db }: Context, query: z.output<typeof workspaceQuery>) {
  const { organisation_id, tier } = query
  const rows = db
    .selectFrom('workspaces')
    .selectAll()
    .where('deleted_at', 'is', null)
    .$if(organisation_id !== undefined, (q) => q.where('organisation_id', '=', organisation_id as string))
    .$if(tier !== undefined, (q) => q.where('tier', '=', tier as string))
  return newestFirst(rows, query, toWorkspace)
}
