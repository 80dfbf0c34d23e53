import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import { Problem } from '../../api/problems.ts'
import { changeConversation, lockExisting } from '../find-conversation.ts'
import { finishConversation, type Lifecycle, totalMissingMs } from '../lifecycle/steps.ts'
import { missingBelow, receivedSeqs } from './read-progress.ts'
import type { FinishedConversation, FinishRequest } from './schema.ts'

/** Finishes a conversation, unless chunks below the number that the participant sent are missing and were not given up. */
export async function finish(
  lifecycle: Lifecycle,
  tx: Tx,
  id: string,
  { chunks = 0, accept_missing: acceptsMissing, tags }: NonNullable<z.output<typeof FinishRequest>>,
): Promise<z.output<typeof FinishedConversation>> {
  const found = await lockExisting(tx, id)
  const missing = missingBelow(await receivedSeqs(tx, id), chunks)
  if (missing.length > 0 && !acceptsMissing) throw new Problem('chunks_missing', { members: { missing } })
  // A repeated request must not replace tags that a host or the summary has set since.
  const isFirst = !found.finished_by_participant && !found.own_tags
  // Without the number, missing chunks at the end would leave no gap.
  const isShort = missing.length > 0 && found.announced_chunks !== chunks
  const changes = { ...(tags && isFirst && { tags }), ...(isShort && { announced_chunks: chunks }) }
  const row = Object.keys(changes).length > 0 ? await changeConversation(tx, id, changes) : found
  if (row.status !== 'recording') {
    if (isShort) await changeConversation(tx, id, { missing_ms: totalMissingMs(id) })
    return { id, status: row.status }
  }
  await finishConversation(lifecycle, tx, row, 'participant')
  return { id, status: 'transcribing' }
}
