import { sql } from 'kysely'
import type { Db } from '../../../database/database.ts'

/** Keeps a conversation open. A heartbeat that does not say whether recording is paused leaves that as it was. */
export async function heartbeat(db: Db, { id }: { id: string }, paused?: boolean): Promise<void> {
  await db
    .updateTable('conversations')
    .set({
      active_at: sql`now()`,
      ...(paused !== undefined && { paused_at: paused ? sql<string>`now()` : null }),
    })
    .where('id', '=', id)
    .execute()
}
