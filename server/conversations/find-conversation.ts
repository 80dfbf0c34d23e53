import { audit, type Context } from '../access/index.ts'
import { inTransaction } from '../kernel/database.ts'
import { Problem } from '../kernel/problems.ts'
import { placeOf } from '../tenancy/index.ts'
import type { ConversationRow } from './payload.ts'

export type ConversationAccess = {
  kind: 'project'
  capability: 'conversation:read' | 'conversation:update' | 'conversation:delete'
  through?: 'conversation'
}

/** The conversation that the path names; the access check has found its project already. */
export async function findConversation({
  db,
  params,
}: Context<ConversationAccess>): Promise<ConversationRow> {
  const row = await db
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', params['cid'] ?? '')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw new Problem('not_found')
  return row
}

/** Staff who read what was said leave a trace; who has a role in the workspace reads what is theirs. */
export async function noteStaffReading(
  context: Context<ConversationAccess>,
  action: 'conversation.read' | 'conversation.list' | 'transcript.read' | 'audio.read',
  target: { kind: 'conversation' | 'project'; id: string },
): Promise<void> {
  const { standing, db } = context
  if (!standing?.staff || standing.workspaceRole !== null) return
  const place = await placeOf(db, context.target)
  await inTransaction(db, (tx) => audit(tx, context, { action, ...place, target }))
}
