import { sql } from 'kysely'
import { type Answer, noContent } from '../../kernel/answer.ts'
import type { Db } from '../../kernel/database.ts'
import type { AdmittedConversation } from './admit-participant.ts'

/** Still here, perhaps paused. */
export async function heartbeat(db: Db, { id }: AdmittedConversation): Promise<Answer> {
  await db.updateTable('conversations').set({ active_at: sql`now()` }).where('id', '=', id).execute()
  return noContent()
}
