import type { Context } from '../../access/index.ts'
import { type Answer, found } from '../../kernel/answer.ts'
import type { PageQuery } from '../../kernel/page.ts'
import { pageOfAudit } from '../audit-page.ts'

export async function listOrganisationAudit({
  db,
  target,
  query,
}: Context<{ kind: 'organisation'; capability: 'organisation:audit' }, unknown, PageQuery>): Promise<Answer> {
  return found(
    await pageOfAudit(db, query, (rows) =>
      rows.where((either) =>
        either.or([either('organisation_id', '=', target.id), either('to_organisation_id', '=', target.id)]),
      ),
    ),
  )
}
