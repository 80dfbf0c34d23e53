import type { z } from 'zod'
import { isUuid } from '../../platform/ids.ts'
import { cursorKey, pageQuery, toPage } from '../api/pagination.ts'
import type { Context } from '../api/route-spec.ts'
import { healthState, readWebhooks } from '../webhooks/index.ts'

export const webhookQuery = pageQuery.extend({ state: healthState.optional() })

export async function listAllWebhooks({ db }: Context, query: z.output<typeof webhookQuery>) {
  const { state, limit } = query
  const rows = await readWebhooks(db, { state, after: cursorKey(query, isUuid), limit: limit + 1 })
  return toPage(rows, limit, (row) => row.id)
}
