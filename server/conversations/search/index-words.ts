import { sql } from 'kysely'
import type { Tx } from '../../../database/database.ts'
import { type ConversationRow, summaryText } from '../payload.ts'
import { loadTranscript } from '../transcript/load-transcript.ts'
import { projectWord, wordsOf } from './words.ts'

/** The version of the rules in `words.ts`: raised when they change, with an index like `conversation_words_to_renew` for older ones. */
export const EDITION = 2

/** Of one conversation; more would keep the thread busy for too long. */
const MAX_CHARACTERS = 800_000

/**
 * Makes a conversation findable by its words, and returns its transcript. Words are not stemmed, because one project can have many
 * languages, and a search matches beginnings. Positions are left out: they are half of the size, and results are not ranked.
 */
export async function indexTranscript(tx: Tx, row: ConversationRow): Promise<string> {
  const transcript = (await loadTranscript(tx, row)).text
  const text = [row.title ?? '', row.participant_name ?? '', summaryText(row) ?? '', transcript].join('\n')
  const words = [projectWord(row.project_id), ...wordsOf(text.slice(0, MAX_CHARACTERS))]
  await sql`
    insert into conversation_words (conversation_id, project_id, words, tokenizer_version)
    values (${row.id}, ${row.project_id}, array_to_tsvector(${words}::text[]), ${EDITION})
    on conflict (conversation_id) do update set words = excluded.words, tokenizer_version = excluded.tokenizer_version`.execute(
    tx,
  )
  return transcript
}
