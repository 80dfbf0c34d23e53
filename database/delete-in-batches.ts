import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** The statement timeout is ten seconds, which is too short to delete everything after an outage in one statement. */
const BATCH_SIZE = 10_000
/** The rest waits for the next run, because a shutdown waits for this one. */
const MAX_BATCHES = 20

export async function deleteInBatches(db: Db, table: string, where: RawBuilder<unknown>): Promise<void> {
  const from = sql.table(table)
  // Repeats the condition, because a row can change between its selection and its deletion by `ctid`.
  const statement = sql`delete from ${from}
    where ctid = any(array(select ctid from ${from} where ${where} limit ${BATCH_SIZE})) and ${where}`
  for (let batch = 0; batch < MAX_BATCHES; batch++)
    if (Number((await statement.execute(db)).numAffectedRows ?? 0) < BATCH_SIZE) return
}
