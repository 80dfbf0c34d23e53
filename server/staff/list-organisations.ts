import { newestFirst, type PageQuery } from '../api/pagination.ts'
import { type Answer, found } from '../api/response.ts'
import type { Context } from '../auth/index.ts'
import { toOrganisation } from '../tenancy/index.ts'

export async function listAllOrganisations({
  db,
  query,
}: Context<{ kind: 'staff' }, unknown, PageQuery>): Promise<Answer> {
  const rows = db.selectFrom('organisations').selectAll().where('deleted_at', 'is', null)
  return found(await newestFirst(rows, query, toOrganisation))
}
