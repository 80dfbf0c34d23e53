import { sql } from 'kysely'
import type { Tx } from '../../database/database.ts'
import { type Actor, audit } from '../auth/index.ts'
import { tenantIdsOf } from '../tenancy/index.ts'
import { notifyProject } from '../webhooks/index.ts'
import { lockConversation } from './lifecycle/lock-conversation.ts'
import type { Lifecycle } from './lifecycle/steps.ts'

/** The cause of a deletion, for the audit log. */
export interface Deletion extends Actor {
  action: 'conversation.delete' | 'conversation.withdraw' | 'conversation.expire' | 'conversation.erase_again'
}

export const byService = (action: 'conversation.expire' | 'conversation.erase_again'): Deletion => ({
  action,
  principal: { userId: 'service', staff: false },
  requestId: 'sweep',
})

/**
 * Hides the conversation from every reader; a job that survives a crash erases its contents. Returns false if it was deleted
 * before. When a whole project is deleted there is no `deletion` and no event, because its feed can no longer be read.
 */
export async function deleteConversation(
  { jobs, emit }: Lifecycle,
  tx: Tx,
  id: string,
  deletion: Deletion | null,
): Promise<boolean> {
  const row = await lockConversation(tx, id)
  if (!row) return false
  await tx
    .updateTable('conversations')
    .set({ deleted_at: sql`now()`, changed: sql`pg_current_xact_id()` })
    .where('id', '=', id)
    .execute()
  await notifyProject(tx, row.project_id)
  await jobs.enqueue(tx, 'erase', { conversation_id: id }, { projectId: row.project_id })
  if (!deletion) return true
  await auditDeletion(tx, row, deletion)
  await emit(tx, { type: 'conversation.erased', projectId: row.project_id, conversationId: id })
  return true
}

async function auditDeletion(
  tx: Tx,
  row: { id: string; project_id: string },
  deletion: Deletion,
): Promise<void> {
  const project = await tx
    .selectFrom('projects')
    .select('workspace_id')
    .where('id', '=', row.project_id)
    .executeTakeFirstOrThrow()
  const target = { kind: 'conversation', id: row.id }
  await audit(tx, deletion, { action: deletion.action, ...(await tenantIdsOf(tx, project)), target })
}
