import type { Context } from '../../access/index.ts'
import { type Answer, found } from '../../kernel/answer.ts'
import { isUuid } from '../../kernel/ids.ts'
import { cursorKey, type PageQuery, toPage } from '../../kernel/page.ts'
import { toProject } from './schema.ts'

export async function listProjects({
  db,
  target,
  query,
}: Context<{ kind: 'workspace'; capability: 'project:read' }, unknown, PageQuery>): Promise<Answer> {
  const after = cursorKey(query, isUuid)
  const rows = await db
    .selectFrom('projects')
    .selectAll()
    .where('workspace_id', '=', target.id)
    .where('deleted_at', 'is', null)
    .$if(after !== null, (q) => q.where('id', '<', after))
    .orderBy('id', 'desc')
    .limit(query.limit + 1)
    .execute()
  return found(toPage(rows.map(toProject), query.limit, (record) => record.id))
}
