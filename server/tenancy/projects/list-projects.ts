import type { z } from 'zod'
import { newestFirst, type Page, type PageQuery } from '../../api/pagination.ts'
import type { Context } from '../../api/route-spec.ts'
import type { WorkspaceTarget } from '../../auth/index.ts'
import { type Project, toProject } from './schema.ts'

export const listProjects = (
  { db, target }: Context<WorkspaceTarget>,
  query: PageQuery,
): Promise<Page<z.output<typeof Project>>> =>
  newestFirst(
    db
      .selectFrom('projects')
      .selectAll()
      .where('workspace_id', '=', target.id)
      .where('deleted_at', 'is', null),
    query,
    toProject,
  )
