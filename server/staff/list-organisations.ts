import { newestFirst, type PageQuery } from '../api/pagination.ts'
import type { Context } from '../api/route-spec.ts'
import { toOrganisation } from '../tenancy/index.ts'

export const listAllOrganisations = ({ db }: Context, query: PageQuery) =>
  newestFirst(
    db.selectFrom('organisations').selectAll().where('deleted_at', 'is', null),
    query,
    toOrganisation,
  )
