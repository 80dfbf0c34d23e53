import { sql } from 'kysely'
import type { Tx } from '../../../database/database.ts'
import { UNCONFIRMED_WORD } from '../../../speech/types.ts'
import { type ConversationRow, summaryText } from '../payload.ts'
import { loadTranscript, type TranscriptPiece } from '../transcript/load-transcript.ts'
import { projectWord, wordsOf } from './words.ts'

/** The version of the rules in `words.ts`. Increase it when they change, and update the index `conversation_words_outdated`. */
export const TOKENIZER_VERSION = 2

/** The limit for one conversation. More would block the event loop for too long. */
const MAX_CHARACTERS = 800_000

/**
 * Adds a conversation to the search index, and returns its transcript. Words are not stemmed, because a project can have many
 * languages and a search matches prefixes. Positions are omitted: they take half of the space, and results are not ranked.
 */
export async function indexTranscript(tx: Tx, row: ConversationRow): Promise<TranscriptPiece[]> {
  const pieces = await loadTranscript(tx, row)
  // Marks and names of speakers are not words of the conversation.
  const transcript = pieces.flatMap((piece) => ('text' in piece ? [piece.text] : [])).join('\n')
  const text = [row.title ?? '', row.participant_name ?? '', summaryText(row) ?? '', transcript]
    .join('\n')
    .replaceAll(UNCONFIRMED_WORD, ' ')
  const words = [projectWord(row.project_id), ...wordsOf(text.slice(0, MAX_CHARACTERS))]
  await sql`
    insert into conversation_words (conversation_id, project_id, words, tokenizer_version)
    values (${row.id}, ${row.project_id}, array_to_tsvector(${words}::text[]), ${TOKENIZER_VERSION})
    on conflict (conversation_id) do update set words = excluded.words, tokenizer_version = excluded.tokenizer_version`.execute(
    tx,
  )
  return pieces
}
