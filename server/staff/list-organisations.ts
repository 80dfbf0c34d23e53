import type { Context } from '../access/index.ts'
import { type Answer, found } from '../kernel/answer.ts'
import { newestFirst, type PageQuery } from '../kernel/page.ts'
import { toOrganisation } from '../tenancy/index.ts'

export async function listAllOrganisations({
  db,
  query,
}: Context<{ kind: 'staff' }, unknown, PageQuery>): Promise<Answer> {
  const rows = db.selectFrom('organisations').selectAll().where('deleted_at', 'is', null)
  return found(await newestFirst(rows, query, toOrganisation))
}
