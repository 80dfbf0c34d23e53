import { sql } from 'kysely'
import type { Db } from '../../../database/database.ts'
import { WEBHOOK_TESTS_PER_MINUTE } from '../../api/rate-limits.ts'

/** A sliding window, because a token bucket allows burst and refill in one minute. One second longer, because latency varies. */
const WINDOW_SECONDS = 61

/** Counts one test in the database, for all processes. Returns 0 when it is allowed, else the seconds until the next one is. */
export async function takeTest(db: Db, webhookId: string): Promise<number> {
  const inWindow = sql`select t from unnest(recent_tests) t where t > clock_timestamp() - ${WINDOW_SECONDS} * interval '1 second'`
  const { rows } = await sql<{ taken: boolean; wait: number }>`
    with taken as (
      update webhooks set recent_tests = array(${inWindow}) || clock_timestamp()
      where id = ${webhookId} and (select count(*) from (${inWindow}) recent) < ${WEBHOOK_TESTS_PER_MINUTE}
      returning id
    )
    select exists (select from taken) as taken,
      coalesce(ceil(extract(epoch from (select min(t) from (${inWindow}) recent) - clock_timestamp())), 0)::integer
        + ${WINDOW_SECONDS}::integer as wait
    from webhooks where id = ${webhookId}`.execute(db)
  const [row] = rows
  if (row === undefined || row.taken) return 0
  return Math.max(1, row.wait)
}
