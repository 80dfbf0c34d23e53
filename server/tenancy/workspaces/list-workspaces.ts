import type { Context } from '../../access/index.ts'
import { type Answer, found } from '../../kernel/answer.ts'
import { newestFirst, type PageQuery } from '../../kernel/page.ts'
import { toWorkspace } from './schema.ts'

export async function listWorkspaces({
  db,
  target,
  query,
}: Context<{ kind: 'organisation'; capability: 'workspace:list' }, unknown, PageQuery>): Promise<Answer> {
  const rows = db
    .selectFrom('workspaces')
    .selectAll()
    .where('organisation_id', '=', target.id)
    .where('deleted_at', 'is', null)
  return found(await newestFirst(rows, query, toWorkspace))
}
