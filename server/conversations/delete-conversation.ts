import { sql } from 'kysely'
import type { Tx } from '../kernel/database.ts'
import type { Jobs } from '../kernel/jobs.ts'
import { wakeProject } from '../webhooks/index.ts'
import { lockConversation } from './lifecycle/lock-conversation.ts'

/** Gone for every reader at once; its contents are erased by a job, which goes on after a crash. False: it was gone. */
export async function deleteConversation(jobs: Jobs, tx: Tx, id: string): Promise<boolean> {
  const row = await lockConversation(tx, id)
  if (!row) return false
  await tx
    .updateTable('conversations')
    .set({ deleted_at: sql`now()`, changed: sql`pg_current_xact_id()` })
    .where('id', '=', id)
    .execute()
  await wakeProject(tx, row.project_id)
  await jobs.enqueue(tx, 'erase', { conversation_id: id }, { projectId: row.project_id })
  return true
}
