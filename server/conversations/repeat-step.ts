import { Problem } from '../api/problems.ts'
import type { ChangeContext } from '../api/route-spec.ts'
import type { ProjectTarget } from '../auth/index.ts'
import { auditConversation, lockExisting } from './find-conversation.ts'
import { type Lifecycle, repeatFrom } from './lifecycle/steps.ts'
import type { ConversationRow } from './payload.ts'

const ACTIONS = { transcribing: 'conversation.retranscribe', summarizing: 'conversation.summarize' } as const

/** Transcribes or summarises a finished conversation again: its events fire again, with a higher revision. */
export async function repeatStep(
  lifecycle: Lifecycle,
  context: ChangeContext<ProjectTarget>,
  found: ConversationRow,
  step: keyof typeof ACTIONS,
): Promise<Pick<ConversationRow, 'id' | 'status' | 'revision'>> {
  const row = await lockExisting(context.tx, found.id)
  if (row.status !== 'done' && row.status !== 'failed') throw new Problem('conversation_in_progress')
  const { id, status, revision } = await repeatFrom(lifecycle, context.tx, row, step)
  await auditConversation(context.tx, context, ACTIONS[step], id)
  return { id, status, revision }
}
