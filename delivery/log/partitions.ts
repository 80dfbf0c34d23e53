import { sql } from 'kysely'
import type { Db } from '../../database/database.ts'
import { deleteInBatches } from '../../database/delete-in-batches.ts'
import { runEach } from '../../platform/run-each.ts'

/** Days for which partitions are created in advance: all workers can be stopped for a week before rows go to the default partitions. */
const DAYS_AHEAD = 7

/** The log has a partition per day: creates the coming ones and drops the expired ones. Safe to run from several workers. */
export async function maintainPartitions(db: Db, keepDays: number): Promise<void> {
  const { rows } = await sql<{ day: string }>`
    select to_char(day, 'YYYY-MM-DD') as day
    from generate_series((now() at time zone 'UTC')::date, (now() at time zone 'UTC')::date + ${DAYS_AHEAD}::integer,
      interval '1 day') as day
    where to_regclass('deliveries_' || to_char(day, 'YYYYMMDD')) is null`.execute(db)
  const steps = [
    () => runEach(rows, ({ day }) => withLogLocked(db, sql`select add_partitions(${day}::date)`)),
    () => dropExpired(db, keepDays),
    () => deleteExpiredFromDefaults(db, keepDays),
  ]
  // A step that fails does not prevent the next one.
  await runEach<() => Promise<unknown>, unknown>(steps, (step) => step())
}

async function dropExpired(db: Db, keepDays: number): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('events'::regclass, 'deliveries'::regclass, 'attempts'::regclass)
      and c.relname ~ '_[0-9]{8}$'
      and to_date(right(c.relname, 8), 'YYYYMMDD') < (now() at time zone 'UTC')::date - ${keepDays}::integer
    order by c.relname`.execute(db)
  await runEach(rows, ({ name }) => withLogLocked(db, sql`drop table if exists ${sql.table(name)}`))
}

/** The statement locks whole tables. While it waits for the lock, other statements wait behind it, so it gives up after a second. */
async function withLogLocked(db: Db, statement: ReturnType<typeof sql>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '1s'`.execute(tx)
    await sql`select pg_advisory_xact_lock(hashtext('parley.log_days'))`.execute(tx)
    await statement.execute(tx)
  })
}

/** Rows are stored in a default partition when no worker has run for a week, or a clock is wrong. */
async function deleteExpiredFromDefaults(db: Db, keepDays: number): Promise<void> {
  const floor = sql`uuid_floor(now() - make_interval(days => ${keepDays}))`
  await deleteInBatches(db, 'attempts_default', sql`delivery_id < ${floor}`)
  await deleteInBatches(db, 'deliveries_default', sql`id < ${floor}`)
  await deleteInBatches(db, 'events_default', sql`id < ${floor}`)
}
