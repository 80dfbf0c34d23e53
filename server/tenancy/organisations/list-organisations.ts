import { newestFirst, type PageQuery } from '../../api/pagination.ts'
import type { Context } from '../../api/route-spec.ts'
import { toOrganisation } from './schema.ts'

/** The organisations in which the caller has a role, newest first. */
export const listOrganisations = ({ db, principal }: Context, query: PageQuery) =>
  newestFirst(
    db
      .selectFrom('organisations as o')
      .innerJoin('organisation_members as m', 'm.organisation_id', 'o.id')
      .selectAll('o')
      .where('m.user_id', '=', principal.userId)
      .where('o.deleted_at', 'is', null),
    query,
    toOrganisation,
  )
