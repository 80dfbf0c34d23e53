import type { Context } from '../../access/index.ts'
import { type Answer, found } from '../../kernel/answer.ts'
import { isUuid } from '../../kernel/ids.ts'
import { cursorKey, type PageQuery, toPage } from '../../kernel/page.ts'
import { toWorkspace } from './schema.ts'

export async function listWorkspaces({
  db,
  target,
  query,
}: Context<{ kind: 'organisation'; capability: 'workspace:list' }, unknown, PageQuery>): Promise<Answer> {
  const after = cursorKey(query, isUuid)
  const rows = await db
    .selectFrom('workspaces')
    .selectAll()
    .where('organisation_id', '=', target.id)
    .where('deleted_at', 'is', null)
    .$if(after !== null, (q) => q.where('id', '<', after))
    .orderBy('id', 'desc')
    .limit(query.limit + 1)
    .execute()
  return found(toPage(rows.map(toWorkspace), query.limit, (record) => record.id))
}
