import type { Context } from '../../access/index.ts'
import { type Answer, found } from '../../kernel/answer.ts'
import { isUuid } from '../../kernel/ids.ts'
import { cursorKey, type PageQuery, toPage } from '../../kernel/page.ts'
import { toOrganisation } from './schema.ts'

/** Those in which the caller holds a role, newest first. */
export async function listOrganisations({
  db,
  principal,
  query,
}: Context<{ kind: 'signed_in' }, unknown, PageQuery>): Promise<Answer> {
  const after = cursorKey(query, isUuid)
  const rows = await db
    .selectFrom('organisations as o')
    .innerJoin('organisation_members as m', 'm.organisation_id', 'o.id')
    .selectAll('o')
    .where('m.user_id', '=', principal.userId)
    .where('o.deleted_at', 'is', null)
    .$if(after !== null, (q) => q.where('o.id', '<', after))
    .orderBy('o.id', 'desc')
    .limit(query.limit + 1)
    .execute()
  return found(toPage(rows.map(toOrganisation), query.limit, (record) => record.id))
}
