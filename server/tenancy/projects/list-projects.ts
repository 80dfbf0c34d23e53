import { newestFirst, type PageQuery } from '../../api/pagination.ts'
import type { Context } from '../../api/route-spec.ts'
import type { WorkspaceTarget } from '../../auth/index.ts'
import { toProject } from './schema.ts'

export function listProjects({ db, target }: Context<WorkspaceTarget>, query: PageQuery, publicUrl: string) {
  const projects = db.selectFrom('projects').selectAll().where('workspace_id', '=', target.id)
  return newestFirst(projects.where('deleted_at', 'is', null), query, (row) => toProject(row, publicUrl))
}
