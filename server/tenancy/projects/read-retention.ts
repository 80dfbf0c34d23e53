import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../database/database.ts'
import { timestamp } from '../../api/schema.ts'
import { MAX_RETENTION_DAYS } from './schema.ts'

export const retentionQuery = z.strictObject({
  days: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(1).max(MAX_RETENTION_DAYS))
    .default(90)
    .describe('A value for `retention_days`')
    .meta({ openapi: { type: 'integer', minimum: 1, maximum: MAX_RETENTION_DAYS, default: 90 } }),
})

export const RetentionPreview = z
  .object({
    days: z.number().int(),
    expired: z.number().int().describe('Finished conversations that are older: they would be erased now'),
    next_at: timestamp
      .nullable()
      .describe('When the oldest of the others would be erased; null if there is none'),
  })
  .meta({ id: 'RetentionPreview' })

/** The number of conversations that a value of `retention_days` would erase now, and the time of the next erasure. The condition is that of `sweepConversations`. */
export async function readRetention(
  db: Db,
  projectId: string,
  { days }: z.output<typeof retentionQuery>,
): Promise<z.output<typeof RetentionPreview>> {
  const { rows } = await sql<{ expired: number; next_at: string | null }>`
    with finished as not materialized (
      select finished_at from conversations
      where project_id = ${projectId} and deleted_at is null and status <> 'recording'
    ), bound as (select now() - make_interval(days => ${days}) as at)
    select
      (select count(*) from finished where finished_at < (select at from bound)) as expired,
      (select min(finished_at) + make_interval(days => ${days}) from finished
        where finished_at >= (select at from bound)) as next_at`.execute(db)
  const [found] = rows
  return { days, expired: found?.expired ?? 0, next_at: found?.next_at ?? null }
}
