import type { Context } from '../../api/route-spec.ts'
import type { OrganisationTarget } from '../../auth/index.ts'
import { type AuditQuery, pageOfAudit } from '../audit-page.ts'

export const listOrganisationAudit = (context: Context<OrganisationTarget>, query: AuditQuery) =>
  pageOfAudit(context, query, (rows) =>
    rows.where(({ or, eb }) =>
      or([eb('organisation_id', '=', context.target.id), eb('to_organisation_id', '=', context.target.id)]),
    ),
  )
