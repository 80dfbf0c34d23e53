import { sql } from 'kysely'
import type { Tx } from '../../database/database.ts'
import type { Actor } from '../auth/index.ts'
import { auditConversation, changeConversation, lockConversation } from './find-conversation.ts'
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
  if (!(await lockConversation(tx, id))) return false
  const { project_id: projectId } = await changeConversation(tx, id, { deleted_at: sql`now()` })
  await jobs.enqueue(tx, 'erase', { conversation_id: id }, { projectId })
  if (!deletion) return true
  const target = await tx
    .selectFrom('projects')
    .select('workspace_id')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  await auditConversation(tx, { ...deletion, target }, deletion.action, id)
  await emit(tx, { type: 'conversation.erased', projectId, conversationId: id })
  return true
}
