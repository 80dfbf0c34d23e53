import type { z } from 'zod'
import { newestFirst, type Page, type PageQuery } from '../api/pagination.ts'
import type { Context } from '../api/route-spec.ts'
import { type Organisation, toOrganisation } from '../tenancy/index.ts'

export const listAllOrganisations = (
  { db }: Context,
  query: PageQuery,
): Promise<Page<z.output<typeof Organisation>>> =>
  newestFirst(
    db.selectFrom('organisations').selectAll().where('deleted_at', 'is', null),
    query,
    toOrganisation,
  )
