import { sql } from 'kysely'
import type { Db } from '../kernel/database.ts'

/** Partitions are made this long ahead, so that a worker may be away for a week. */
const DAYS_AHEAD = 7

/** One partition a day: adds the coming ones, drops those that were kept long enough. Safe from many workers at once. */
export async function turnLogDays(db: Db, keepDays: number): Promise<void> {
  const { rows } = await sql<{ day: string; exists: boolean }>`
    select to_char(day, 'YYYY-MM-DD') as day, to_regclass('deliveries_' || to_char(day, 'YYYYMMDD')) is not null as exists
    from generate_series((now() at time zone 'UTC')::date, (now() at time zone 'UTC')::date + ${DAYS_AHEAD}::integer,
      interval '1 day') as day`.execute(db)
  for (const { day, exists } of rows)
    if (!exists) await onLockedLog(db, sql`select add_log_day(${day}::date)`)
  for (const partition of await expiredPartitions(db, keepDays))
    await onLockedLog(db, sql`drop table if exists ${sql.table(partition)}`)
  await emptyDefaults(db, keepDays)
}

async function expiredPartitions(db: Db, keepDays: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('events'::regclass, 'deliveries'::regclass, 'attempts'::regclass)
      and c.relname ~ '_[0-9]{8}$'
      and to_date(right(c.relname, 8), 'YYYYMMDD') < (now() at time zone 'UTC')::date - ${keepDays}::integer
    order by c.relname`.execute(db)
  return rows.map(({ name }) => name)
}

/**
 * Both need the whole table for a moment. Waiting for it would hold up everybody who comes after, so that it is asked for
 * briefly, and again an hour later.
 */
async function onLockedLog(db: Db, statement: ReturnType<typeof sql>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '1s'`.execute(tx)
    await sql`select pg_advisory_xact_lock(hashtext('parley.log_days'))`.execute(tx)
    await statement.execute(tx)
  })
}

/** What no day took in is deleted row by row; there is next to nothing. */
async function emptyDefaults(db: Db, keepDays: number): Promise<void> {
  const floor = sql`uuid_floor(now() - make_interval(days => ${keepDays}))`
  await sql`delete from attempts_default where delivery_id < ${floor}`.execute(db)
  await sql`delete from deliveries_default where id < ${floor}`.execute(db)
  await sql`delete from events_default where id < ${floor}`.execute(db)
}
