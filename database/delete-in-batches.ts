import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** A statement has ten seconds: what an outage left behind may take longer, and would never be deleted at once. */
const BATCH = 10_000
/** The rest is left for the next time: whoever stops the service waits for it. */
const MOST_BATCHES = 20

export async function deleteInBatches(db: Db, table: string, where: RawBuilder<unknown>): Promise<void> {
  for (let batch = 0; batch < MOST_BATCHES; batch++)
    if ((await deleteBatch(db, sql.table(table), where)) < BATCH) return
}

/** The condition twice: PostgreSQL may delete a row by its place without looking whether it has changed meanwhile. */
async function deleteBatch(db: Db, table: RawBuilder<unknown>, where: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${table}
    where ctid = any(array(select ctid from ${table} where ${where} limit ${BATCH})) and ${where}`.execute(db)
  return Number(numAffectedRows ?? 0)
}
