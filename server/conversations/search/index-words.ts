import { sql } from 'kysely'
import type { Tx } from '../../kernel/database.ts'
import { type ConversationRow, summaryText } from '../payload.ts'
import { projectWord } from './word-query.ts'

/** Of one document; PostgreSQL takes no more than 1 MiB of words. */
const MOST_CHARACTERS = 800_000

/**
 * Makes a conversation findable by its words. As they are, without the stems of one language: a project may be spoken in
 * many, and a search matches beginnings of words. Positions are left out: they are half of the size, and nobody ranks.
 */
export async function indexWords(tx: Tx, row: ConversationRow, transcript: string): Promise<void> {
  const text = [row.title ?? '', row.participant_name ?? '', summaryText(row) ?? '', transcript].join('\n')
  await sql`
    insert into conversation_words (conversation_id, project_id, words)
    values (${row.id}, ${row.project_id},
      strip(to_tsvector('simple', ${text.slice(0, MOST_CHARACTERS)})) || array_to_tsvector(array[${projectWord(row.project_id)}]))
    on conflict (conversation_id) do update set words = excluded.words`.execute(tx)
}
