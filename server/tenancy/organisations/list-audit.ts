import type { Context } from '../../api/route-spec.ts'
import type { IdentityStore, OrganisationTarget } from '../../auth/index.ts'
import { type AuditQuery, pageOfAudit } from '../audit-page.ts'

export const listOrganisationAudit = (
  context: Context<OrganisationTarget>,
  query: AuditQuery,
  store: IdentityStore,
) =>
  pageOfAudit(context, query, store, (rows) =>
    rows.where(({ or, eb }) =>
      or([eb('organisation_id', '=', context.target.id), eb('to_organisation_id', '=', context.target.id)]),
    ),
  )
