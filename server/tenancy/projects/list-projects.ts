import { newestFirst, type PageQuery } from '../../api/pagination.ts'
import { type Answer, found } from '../../api/response.ts'
import type { Context } from '../../auth/index.ts'
import { toProject } from './schema.ts'

export async function listProjects({
  db,
  target,
  query,
}: Context<{ kind: 'workspace'; capability: 'project:read' }, unknown, PageQuery>): Promise<Answer> {
  const rows = db
    .selectFrom('projects')
    .selectAll()
    .where('workspace_id', '=', target.id)
    .where('deleted_at', 'is', null)
  return found(await newestFirst(rows, query, toProject))
}
