import type { Page } from '../../api/pagination.ts'
import type { Context } from '../../api/route-spec.ts'
import type { OrganisationTarget } from '../../auth/index.ts'
import { type AuditQuery, type AuditRow, pageOfAudit } from '../audit-page.ts'

export const listOrganisationAudit = (
  { db, target }: Context<OrganisationTarget>,
  query: AuditQuery,
): Promise<Page<AuditRow>> =>
  pageOfAudit(db, query, (rows) =>
    rows.where((either) =>
      either.or([either('organisation_id', '=', target.id), either('to_organisation_id', '=', target.id)]),
    ),
  )
