import { z } from 'zod'
import { type Context, TIERS } from '../access/index.ts'
import { type Answer, found } from '../kernel/answer.ts'
import { isUuid } from '../kernel/ids.ts'
import { cursorKey, pageQuery, toPage } from '../kernel/page.ts'
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
  const after = cursorKey(query, isUuid)
  const { organisation_id, tier } = query
  const rows = await db
    .selectFrom('workspaces')
    .selectAll()
    .where('deleted_at', 'is', null)
    .$if(organisation_id !== undefined, (q) => q.where('organisation_id', '=', organisation_id as string))
    .$if(tier !== undefined, (q) => q.where('tier', '=', tier as string))
    .$if(after !== null, (q) => q.where('id', '<', after))
    .orderBy('id', 'desc')
    .limit(query.limit + 1)
    .execute()
  return found(toPage(rows.map(toWorkspace), query.limit, (record) => record.id))
}
