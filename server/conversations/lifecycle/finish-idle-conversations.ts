import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/database.ts'
import { finishConversation, type Lifecycle } from './steps.ts'

/** Time without a chunk or a heartbeat after which the service finishes a conversation. */
const IDLE_MINUTES = 15
const BATCH = 50

/** Workers can run it in parallel: each conversation is finished by one of them. */
export async function finishIdleConversations(on: Lifecycle, db: Db): Promise<number> {
  const finished = await inTransaction(db, async (tx) => {
    const rows = await tx
      .selectFrom('conversations')
      .selectAll()
      .where('status', '=', 'recording')
      .where('deleted_at', 'is', null)
      .where('active_at', '<', sql<string>`now() - make_interval(mins => ${IDLE_MINUTES})`)
      .orderBy('active_at')
      .limit(BATCH)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const row of rows) await finishConversation(on, tx, row, 'service')
    return rows.length
  })
  return finished === BATCH ? finished + (await finishIdleConversations(on, db)) : finished
}
