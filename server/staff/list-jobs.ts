import { z } from 'zod'
import type { Context } from '../access/index.ts'
import { type Answer, found } from '../kernel/answer.ts'
import { newestFirst, type PageQuery } from '../kernel/page.ts'
import { id, timestamp } from '../kernel/schema.ts'
import { selectReplays } from '../webhooks/index.ts'

export const Job = z
  .object({
    id,
    kind: z.enum(['replay']),
    state: z.enum(['running', 'done', 'cancelled']),
    project_id: id,
    target_id: id.describe('What it works on: of a replay the webhook'),
    total: z.number().int().describe('Pieces of work in all'),
    created_at: timestamp,
    finished_at: timestamp.nullable(),
  })
  .meta({ id: 'Job' })

/** What the service does in the background at somebody's wish. */
export async function listJobs({
  db,
  query,
}: Context<{ kind: 'staff' }, undefined, PageQuery>): Promise<Answer> {
  return found(await newestFirst(selectReplays(db), query, (row) => ({ kind: 'replay', ...row })))
}
