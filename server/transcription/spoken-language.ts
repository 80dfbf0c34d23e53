import { sql } from 'kysely'
import type { Tx } from '../../database/database.ts'
import { UNCLEAR_BELOW, UNCONFIRMED_WORD } from '../../speech/types.ts'

/**
 * The language of most of the text so far, by time; null if no segment has one. Unclear segments count only if all are: a cough before
 * an interview in Dutch had made it Japanese.
 */
export async function spokenLanguage(tx: Tx, conversationId: string): Promise<string | null> {
  const { rows } = await sql<{ language: string }>`
    select language from segments where conversation_id = ${conversationId} and language is not null
    group by language
    order by
      sum(end_ms - start_ms) filter (where coalesce(confidence, 1) >= ${UNCLEAR_BELOW} and text <> ${UNCONFIRMED_WORD})
        desc nulls last,
      sum(end_ms - start_ms) desc, language
    limit 1`.execute(tx)
  return rows[0]?.language ?? null
}
