import { Problem } from '../api/problems.ts'
import type { ChangeContext } from '../api/route-spec.ts'
import { audit, type ProjectTarget } from '../auth/index.ts'
import { tenantIdsOf } from '../tenancy/index.ts'
import { lockConversation } from './lifecycle/lock-conversation.ts'
import { type Lifecycle, repeatFrom } from './lifecycle/steps.ts'
import type { ConversationRow } from './payload.ts'

const ACTIONS = { transcribing: 'conversation.retranscribe', summarizing: 'conversation.summarize' } as const

/** Transcribes or summarises a finished conversation again: its events fire again, with a higher revision. */
export async function repeatStep(
  on: Lifecycle,
  context: ChangeContext<ProjectTarget>,
  found: ConversationRow,
  step: keyof typeof ACTIONS,
): Promise<Pick<ConversationRow, 'id' | 'status' | 'revision'>> {
  const { tx } = context
  const row = await lockConversation(tx, found.id)
  if (!row) throw new Problem('not_found')
  if (row.status !== 'done' && row.status !== 'failed') throw new Problem('conversation_in_progress')
  const { id, status, revision } = await repeatFrom(on, tx, row, step)
  await audit(tx, context, {
    action: ACTIONS[step],
    ...(await tenantIdsOf(tx, context.target)),
    target: { kind: 'conversation', id },
  })
  return { id, status, revision }
}
