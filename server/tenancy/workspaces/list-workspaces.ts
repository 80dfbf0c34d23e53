import { newestFirst, type PageQuery } from '../../api/pagination.ts'
import { type Answer, found } from '../../api/response.ts'
import type { Context } from '../../auth/index.ts'
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
