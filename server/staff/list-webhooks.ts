import type { Context } from '../access/index.ts'
import { type Answer, found } from '../kernel/answer.ts'
import { isUuid } from '../kernel/ids.ts'
import { cursorKey, type PageQuery, toPage } from '../kernel/page.ts'
import { readWebhooks } from '../webhooks/index.ts'

export async function listAllWebhooks({
  db,
  query,
}: Context<{ kind: 'staff' }, undefined, PageQuery>): Promise<Answer> {
  const rows = await readWebhooks(db, { after: cursorKey(query, isUuid), limit: query.limit + 1 })
  return found(toPage(rows, query.limit, (row) => row.id))
}
