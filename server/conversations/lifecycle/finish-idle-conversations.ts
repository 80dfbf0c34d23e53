import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/database.ts'
import { finishConversation, type Lifecycle } from './steps.ts'

/** Time without a chunk or a heartbeat after which the service finishes a conversation. */
const IDLE_MINUTES = 15
const BATCH_SIZE = 50

/** Returns how many it finished. Safe to run on several workers: each skips the rows that another has locked. */
export async function finishIdleConversations(lifecycle: Lifecycle, db: Db): Promise<number> {
  let total = 0
  let finished: number
  do {
    finished = await finishBatch(lifecycle, db)
    total += finished
  } while (finished === BATCH_SIZE)
  return total
}

const finishBatch = (lifecycle: Lifecycle, db: Db): Promise<number> =>
  inTransaction(db, async (tx) => {
    const rows = await tx
      .selectFrom('conversations')
      .selectAll()
      .where('status', '=', 'recording')
      .where('deleted_at', 'is', null)
      .where('active_at', '<', sql<string>`now() - make_interval(mins => ${IDLE_MINUTES})`)
      .orderBy('active_at')
      .limit(BATCH_SIZE)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const row of rows) await finishConversation(lifecycle, tx, row, 'service')
    return rows.length
  })
