import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { deleteInBatches } from '../database/delete-in-batches.ts'
import { runEach } from '../platform/run-each.ts'

/** Partitions are made this long ahead, so that a worker may be away for a week. */
const DAYS_AHEAD = 7

/** One partition a day: adds the coming ones, drops those that were kept long enough. Safe from many workers at once. */
export async function turnLogDays(db: Db, keepDays: number): Promise<void> {
  const { rows } = await sql<{ day: string; exists: boolean }>`
    select to_char(day, 'YYYY-MM-DD') as day, to_regclass('deliveries_' || to_char(day, 'YYYYMMDD')) is not null as exists
    from generate_series((now() at time zone 'UTC')::date, (now() at time zone 'UTC')::date + ${DAYS_AHEAD}::integer,
      interval '1 day') as day`.execute(db)
  const missing = rows.filter(({ exists }) => !exists).map(({ day }) => day)
  const steps = [
    () => addDays(db, missing),
    () => dropExpired(db, keepDays),
    () => emptyDefaults(db, keepDays),
  ]
  await runEach(steps, (step) => step())
}

async function addDays(db: Db, days: string[]): Promise<void> {
  await runEach(days, (day) => onLockedLog(db, sql`select add_log_day(${day}::date)`))
}

async function dropExpired(db: Db, keepDays: number): Promise<void> {
  await runEach(await expiredPartitions(db, keepDays), (partition) =>
    onLockedLog(db, sql`drop table if exists ${sql.table(partition)}`),
  )
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

/** What no day took in is deleted row by row; there is next to nothing, or what came while no worker ran for a week. */
async function emptyDefaults(db: Db, keepDays: number): Promise<void> {
  const floor = sql`uuid_floor(now() - make_interval(days => ${keepDays}))`
  await deleteInBatches(db, 'attempts_default', sql`delivery_id < ${floor}`)
  await deleteInBatches(db, 'deliveries_default', sql`id < ${floor}`)
  await deleteInBatches(db, 'events_default', sql`id < ${floor}`)
}
