import type { Tx } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { ConversationRow } from '../payload.ts'
import { type Lifecycle, PRIORITY } from './lifecycle.ts'

/**
 * Enqueues the transcription of a finished conversation by the better model. Once per text: a new summary of the same text does not
 * begin another pass. An earlier pass that has not ended is of an outdated text.
 */
export async function beginSecondPass(
  { jobs, betterModel }: Pick<Lifecycle, 'jobs' | 'betterModel'>,
  tx: Tx,
  row: ConversationRow,
): Promise<void> {
  const hasOtherModel = row.transcript_model !== null && row.transcript_model !== betterModel
  if (!betterModel || !hasOtherModel || row.second_pass !== null) return
  const id = newId()
  await tx.deleteFrom('second_passes').where('conversation_id', '=', row.id).execute()
  await tx.insertInto('second_passes').values({ id, conversation_id: row.id }).execute()
  await tx.updateTable('conversations').set({ second_pass: 'waiting' }).where('id', '=', row.id).execute()
  await enqueueSecondPass(jobs, tx, row, id)
}

/** The next part of it. */
export const enqueueSecondPass = (
  jobs: Lifecycle['jobs'],
  tx: Tx,
  { id, project_id: projectId }: Pick<ConversationRow, 'id' | 'project_id'>,
  passId: string,
): Promise<void> =>
  jobs.enqueue(
    tx,
    'transcribe',
    { conversation_id: id, pass_id: passId },
    { projectId, priority: PRIORITY.idle },
  )
