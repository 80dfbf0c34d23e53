import { newestFirst, type PageQuery } from '../../api/pagination.ts'
import { type Answer, found } from '../../api/response.ts'
import type { Context } from '../../auth/index.ts'
import { toOrganisation } from './schema.ts'

/** Those in which the caller holds a role, newest first. */
export async function listOrganisations({
  db,
  principal,
  query,
}: Context<{ kind: 'signed_in' }, unknown, PageQuery>): Promise<Answer> {
  const rows = db
    .selectFrom('organisations as o')
    .innerJoin('organisation_members as m', 'm.organisation_id', 'o.id')
    .selectAll('o')
    .where('m.user_id', '=', principal.userId)
    .where('o.deleted_at', 'is', null)
  return found(await newestFirst(rows, query, toOrganisation))
}
