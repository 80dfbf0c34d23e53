import { sql } from 'kysely'
import type { Db } from '../../../database/database.ts'
import type { ConversationRow } from '../../conversations/index.ts'
import type { KeptNotes, NoteStore } from '../../summaries/index.ts'

/** The notes of a report's conversations in its language. Each conversation keeps those of its current revision. */
export function createNoteStore(
  db: Db,
  language: string,
  conversations: readonly Pick<ConversationRow, 'id' | 'revision'>[],
): NoteStore {
  const revisions = new Map(conversations.map(({ id, revision }) => [id, revision]))
  return {
    async load(keys) {
      if (keys.size === 0) return new Map()
      const rows = await db
        .selectFrom('conversation_notes')
        .select(['conversation_id', 'revision', 'key', 'notes'])
        .where('language', '=', language)
        .where('conversation_id', 'in', [...keys.keys()])
        .execute()
      const isCurrent = (row: (typeof rows)[number]): boolean =>
        row.revision === revisions.get(row.conversation_id) && row.key === keys.get(row.conversation_id)
      return new Map(rows.filter(isCurrent).map((row) => [row.conversation_id, row.notes as KeptNotes]))
    },
    async save(id, key, notes) {
      // The lock closes the race with an erasure: it waits, and finds the row, or this finds the conversation deleted.
      await sql`
        with existing as (
          select id, revision from conversations
          where id = ${id} and revision = ${revisions.get(id) ?? null} and deleted_at is null for share)
        insert into conversation_notes (conversation_id, language, revision, key, notes)
        select id, ${language}, revision, ${key}, ${JSON.stringify(notes)}::jsonb from existing
        on conflict (conversation_id, language) do update
          set revision = excluded.revision, key = excluded.key, notes = excluded.notes, created_at = now()`.execute(
        db,
      )
    },
  }
}
