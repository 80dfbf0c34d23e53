import { sql } from 'kysely'
import type { Tx } from '../../database/database.ts'
import { UNCONFIRMED_WORD } from '../../speech/types.ts'

/**
 * The language of most of the text so far, by time and confidence; null if no segment has one. By time alone, a cough of three seconds
 * made a short Dutch answer Japanese. If only clear segments counted, one sentence in English would outweigh a conversation in Dutch, most
 * of which is unclear. Speech of which no word was understood counts only if there is nothing else.
 */
export async function spokenLanguage(tx: Tx, conversationId: string): Promise<string | null> {
  const { rows } = await sql<{ language: string }>`
    select language from segments where conversation_id = ${conversationId} and language is not null
    group by language
    order by
      sum((end_ms - start_ms) * coalesce(confidence, 1)) filter (where text <> ${UNCONFIRMED_WORD}) desc nulls last,
      sum(end_ms - start_ms) desc, language
    limit 1`.execute(tx)
  return rows[0]?.language ?? null
}
