import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/database.ts'

/** How many conversations are taken from the index by their start, and sorted. */
const FEW = 5_000

/**
 * The condition by which a list, newest first, finds conversations that started in a span. For a long span PostgreSQL checks one after
 * the other until the page is full; for a short one that took 50 ms (a day among 100,000), so it is read from the index.
 */
export async function startedWithin(
  db: Db,
  projectId: string,
  since = '-infinity',
  until = 'infinity',
): Promise<RawBuilder<boolean>> {
  const within = sql<boolean>`started_at >= ${since} and started_at < ${until}`
  const those = sql`select id from conversations where project_id = ${projectId} and deleted_at is null and ${within}`
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (${those} order by started_at limit ${FEW + 1}) few`.execute(db)
  return (rows[0]?.count ?? 0) > FEW ? within : sql<boolean>`id = any(array(${those}))`
}
