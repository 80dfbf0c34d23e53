import { type Answer, found } from '../../api/response.ts'
import type { Context } from '../../auth/index.ts'
import { type AuditQuery, pageOfAudit } from '../audit-page.ts'

export async function listOrganisationAudit({
  db,
  target,
  query,
}: Context<
  { kind: 'organisation'; capability: 'organisation:audit' },
  unknown,
  AuditQuery
>): Promise<Answer> {
  return found(
    await pageOfAudit(db, query, (rows) =>
      rows.where((either) =>
        either.or([either('organisation_id', '=', target.id), either('to_organisation_id', '=', target.id)]),
      ),
    ),
  )
}
