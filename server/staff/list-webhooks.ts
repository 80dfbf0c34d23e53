import { isUuid } from '../../platform/ids.ts'
import { cursorKey, type PageQuery, toPage } from '../api/pagination.ts'
import type { Context } from '../api/route-spec.ts'
import { readWebhooks } from '../webhooks/index.ts'

export async function listAllWebhooks({ db }: Context, query: PageQuery) {
  const rows = await readWebhooks(db, { after: cursorKey(query, isUuid), limit: query.limit + 1 })
  return toPage(rows, query.limit, (row) => row.id)
}
