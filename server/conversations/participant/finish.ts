import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import { Problem } from '../../api/problems.ts'
import { lockExisting } from '../find-conversation.ts'
import { finishConversation, type Lifecycle } from '../lifecycle/steps.ts'
import { missingBelow, receivedSeqs } from './read-progress.ts'
import type { FinishedConversation } from './schema.ts'

/** Finishes a conversation, unless chunks below the number that the participant sent are missing. */
export async function finish(
  lifecycle: Lifecycle,
  tx: Tx,
  id: string,
  chunks = 0,
): Promise<z.output<typeof FinishedConversation>> {
  const row = await lockExisting(tx, id)
  const missing = missingBelow(await receivedSeqs(tx, id), chunks)
  if (missing.length > 0) throw new Problem('chunks_missing', { members: { missing } })
  if (row.status !== 'recording') return { id, status: row.status }
  await finishConversation(lifecycle, tx, row, 'participant')
  return { id, status: 'transcribing' }
}
