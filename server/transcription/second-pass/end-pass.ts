import type { Tx } from '../../../database/database.ts'

/**
 * - `replaced`: its text replaced that of the first pass.
 * - `kept`: the words are the same, or it would have made the text worse.
 * - `failed`: the better model failed finally.
 * - `dropped`: the conversation was erased or has other audio now, or the better model is no longer configured.
 */
export type PassOutcome = 'replaced' | 'kept' | 'failed' | 'dropped'

/** Deletes the pass with its text. A dropped one can begin again when the conversation is done. */
export async function endPass(tx: Tx, id: string, outcome: PassOutcome): Promise<PassOutcome> {
  const { conversation_id } = await tx
    .deleteFrom('second_passes')
    .where('id', '=', id)
    .returning('conversation_id')
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('conversations')
    .set({ second_pass: outcome === 'dropped' ? null : 'done' })
    .where('id', '=', conversation_id)
    .execute()
  return outcome
}
