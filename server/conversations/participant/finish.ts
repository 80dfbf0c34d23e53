import { inTransaction } from '../../../database/database.ts'
import { Problem } from '../../api/problems.ts'
import { type Answer, accepted } from '../../api/response.ts'
import { lockConversation } from '../lifecycle/lock-conversation.ts'
import { finishConversation } from '../lifecycle/steps.ts'
import type { AdmittedConversation } from './admit-participant.ts'
import type { ChunkParts } from './put-chunk.ts'
import { missingBelow, receivedSeqs } from './read-progress.ts'

/** The participant has finished. Whoever says how many chunks there are learns which did not arrive. */
export async function finish(
  parts: ChunkParts,
  { id }: AdmittedConversation,
  chunks: number | undefined,
): Promise<Answer> {
  const status = await inTransaction(parts.db, async (tx) => {
    const row = await lockConversation(tx, id)
    if (!row) throw new Problem('not_found')
    const missing = missingBelow(await receivedSeqs(tx, id), chunks ?? 0)
    if (missing.length > 0) throw new Problem('chunks_missing', { members: { missing } })
    if (row.status === 'recording') await finishConversation(parts, tx, row, 'participant')
    return row.status === 'recording' ? 'transcribing' : row.status
  })
  return accepted({ id, status })
}
