import type { Tx } from '../../database/database.ts'
import { Problem } from '../api/problems.ts'
import { type Answer, accepted } from '../api/response.ts'
import { audit, type Context } from '../auth/index.ts'
import { placeOf } from '../tenancy/index.ts'
import type { ConversationAccess } from './find-conversation.ts'
import { lockConversation } from './lifecycle/lock-conversation.ts'
import { type Lifecycle, repeatFrom } from './lifecycle/steps.ts'
import type { ConversationRow } from './payload.ts'

const NAMES = { transcribing: 'conversation.retranscribe', summarizing: 'conversation.summarize' } as const

/** Hears or summarises a finished conversation again: its events fire again, with a higher revision. */
export async function repeatStep(
  on: Lifecycle,
  context: Context<ConversationAccess>,
  tx: Tx,
  found: ConversationRow,
  step: keyof typeof NAMES,
): Promise<Answer> {
  const row = await lockConversation(tx, found.id)
  if (!row) throw new Problem('not_found')
  if (row.status !== 'done' && row.status !== 'failed') throw new Problem('conversation_in_progress')
  const { id, status, revision } = await repeatFrom(on, tx, row, step)
  await audit(tx, context, {
    action: NAMES[step],
    ...(await placeOf(tx, context.target)),
    target: { kind: 'conversation', id },
  })
  return accepted({ id, status, revision })
}
