import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** A statement has ten seconds: what an outage left behind may take longer, and would never be deleted at once. */
const BATCH = 10_000

export async function deleteInBatches(db: Db, table: string, where: RawBuilder<unknown>): Promise<void> {
  const from = sql.table(table)
  let deleted = BATCH
  while (deleted >= BATCH) {
    const { numAffectedRows } = await sql`
      delete from ${from} where ctid = any(array(select ctid from ${from} where ${where} limit ${BATCH}))`.execute(
      db,
    )
    deleted = Number(numAffectedRows ?? 0)
  }
}
