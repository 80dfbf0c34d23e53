import { sql } from 'kysely'
import type { Db } from '../../../database/database.ts'

/** Keeps a paused conversation open. */
export async function heartbeat(db: Db, { id }: { id: string }): Promise<void> {
  await db.updateTable('conversations').set({ active_at: sql`now()` }).where('id', '=', id).execute()
}
