import { newestFirst, type PageQuery } from '../../api/pagination.ts'
import type { Context } from '../../api/route-spec.ts'
import type { OrganisationTarget } from '../../auth/index.ts'
import { toWorkspace } from './schema.ts'

export function listWorkspaces({ db, target }: Context<OrganisationTarget>, query: PageQuery) {
  const workspaces = db.selectFrom('workspaces').selectAll().where('organisation_id', '=', target.id)
  return newestFirst(workspaces.where('deleted_at', 'is', null), query, toWorkspace)
}
