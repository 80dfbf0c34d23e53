import type { z } from 'zod'
import { newestFirst, type Page, type PageQuery } from '../../api/pagination.ts'
import type { Context } from '../../api/route-spec.ts'
import { type Organisation, toOrganisation } from './schema.ts'

/** The organisations in which the caller has a role, newest first. */
export const listOrganisations = (
  { db, principal }: Context,
  query: PageQuery,
): Promise<Page<z.output<typeof Organisation>>> =>
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
