import { sql } from 'kysely'
import type { Db } from '../../../database/database.ts'
import { type Answer, noContent } from '../../api/response.ts'
import type { AdmittedConversation } from './admit-participant.ts'

/** Still here, perhaps paused. */
export async function heartbeat(db: Db, { id }: AdmittedConversation): Promise<Answer> {
  await db.updateTable('conversations').set({ active_at: sql`now()` }).where('id', '=', id).execute()
  return noContent()
}
