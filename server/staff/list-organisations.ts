import type { Context } from '../access/index.ts'
import { type Answer, found } from '../kernel/answer.ts'
import { isUuid } from '../kernel/ids.ts'
import { cursorKey, type PageQuery, toPage } from '../kernel/page.ts'
import { toOrganisation } from '../tenancy/index.ts'

export async function listAllOrganisations({
  db,
  query,
}: Context<{ kind: 'staff' }, unknown, PageQuery>): Promise<Answer> {
  const after = cursorKey(query, isUuid)
  const rows = await db
    .selectFrom('organisations')
    .selectAll()
    .where('deleted_at', 'is', null)
    .$if(after !== null, (q) => q.where('id', '<', after))
    .orderBy('id', 'desc')
    .limit(query.limit + 1)
    .execute()
  return found(toPage(rows.map(toOrganisation), query.limit, (record) => record.id))
}
