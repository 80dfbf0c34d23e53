import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** The statement timeout is ten seconds, which is too short to delete everything after an outage in one statement. */
const BATCH_SIZE = 10_000
/** The rest waits for the next run, because a shutdown waits for this one. */
const MAX_BATCHES = 20

export async function deleteInBatches(db: Db, table: string, where: RawBuilder<unknown>): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch++)
    if ((await deleteBatch(db, sql.table(table), where)) < BATCH_SIZE) return
}

/** Repeats the condition, because a row can change between its selection and its deletion by `ctid`. */
async function deleteBatch(db: Db, table: RawBuilder<unknown>, where: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${table}
    where ctid = any(array(select ctid from ${table} where ${where} limit ${BATCH_SIZE})) and ${where}`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}
