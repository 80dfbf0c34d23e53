import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import { Problem } from '../../api/problems.ts'
import { lockConversation } from '../lifecycle/lock-conversation.ts'
import { finishConversation, type Lifecycle } from '../lifecycle/steps.ts'
import { missingBelow, receivedSeqs } from './read-progress.ts'
import type { FinishedConversation } from './schema.ts'

/** Finishes a conversation, unless chunks below the number that the participant sent are missing. */
export async function finish(
  lifecycle: Lifecycle,
  tx: Tx,
  id: string,
  chunks: number | undefined,
): Promise<z.output<typeof FinishedConversation>> {
  const row = await lockConversation(tx, id)
  if (!row) throw new Problem('not_found')
  const missing = missingBelow(await receivedSeqs(tx, id), chunks ?? 0)
  if (missing.length > 0) throw new Problem('chunks_missing', { members: { missing } })
  if (row.status !== 'recording') return { id, status: row.status }
  await finishConversation(lifecycle, tx, row, 'participant')
  return { id, status: 'transcribing' }
}
