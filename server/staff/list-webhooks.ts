import { isUuid } from '../../platform/ids.ts'
import { cursorKey, type PageQuery, toPage } from '../api/pagination.ts'
import { type Answer, found } from '../api/response.ts'
import type { Context } from '../auth/index.ts'
import { readWebhooks } from '../webhooks/index.ts'

export async function listAllWebhooks({
  db,
  query,
}: Context<{ kind: 'staff' }, undefined, PageQuery>): Promise<Answer> {
  const rows = await readWebhooks(db, { after: cursorKey(query, isUuid), limit: query.limit + 1 })
  return found(toPage(rows, query.limit, (row) => row.id))
}
