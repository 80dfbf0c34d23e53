import type { z } from 'zod'
import { newestFirst, type Page, type PageQuery } from '../../api/pagination.ts'
import type { Context } from '../../api/route-spec.ts'
import type { OrganisationTarget } from '../../auth/index.ts'
import { toWorkspace, type Workspace } from './schema.ts'

export const listWorkspaces = (
  { db, target }: Context<OrganisationTarget>,
  query: PageQuery,
): Promise<Page<z.output<typeof Workspace>>> =>
  newestFirst(
    db
      .selectFrom('workspaces')
      .selectAll()
      .where('organisation_id', '=', target.id)
      .where('deleted_at', 'is', null),
    query,
    toWorkspace,
  )
