import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/database.ts'
import { finishConversation, type Lifecycle } from './steps.ts'

/** Without a chunk or a heartbeat for so long, nobody is there any more. */
const SILENCE_MINUTES = 15
const BATCH = 50

/** Finishes what was left. Any number of workers may do it at once: each conversation is finished by one of them. */
export async function finishSilent(on: Lifecycle, db: Db): Promise<number> {
  const finished = await inTransaction(db, async (tx) => {
    const rows = await tx
      .selectFrom('conversations')
      .selectAll()
      .where('status', '=', 'recording')
      .where('deleted_at', 'is', null)
      .where('active_at', '<', sql<string>`now() - make_interval(mins => ${SILENCE_MINUTES})`)
      .orderBy('active_at')
      .limit(BATCH)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const row of rows) await finishConversation(on, tx, row, 'service')
    return rows.length
  })
  return finished === BATCH ? finished + (await finishSilent(on, db)) : finished
}
