import type { Context } from '../../api/route-spec.ts'
import type { OrganisationTarget } from '../../auth/index.ts'
import { type AuditQuery, pageOfAudit } from '../audit-page.ts'

export const listOrganisationAudit = ({ db, target }: Context<OrganisationTarget>, query: AuditQuery) =>
  pageOfAudit(db, query, (rows) =>
    rows.where(({ or, eb }) =>
      or([eb('organisation_id', '=', target.id), eb('to_organisation_id', '=', target.id)]),
    ),
  )
