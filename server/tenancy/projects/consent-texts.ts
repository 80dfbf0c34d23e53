import { hash } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Db } from '../../../database/database.ts'
import type { Tables } from '../../../database/tables.ts'

type ConsentText = Omit<Selectable<Tables['consent_texts']>, 'project_id'>

/** What a consent names a text by: whoever has the text can check it. The database keeps each when it is set (`keep_consent_text`). */
export const versionOfConsent = (text: string): string => hash('sha256', text, 'hex')

/** Null: it was agreed to before texts were kept. */
export async function findConsentText(db: Db, projectId: string, version: string): Promise<string | null> {
  const row = await db
    .selectFrom('consent_texts')
    .select('text')
    .where('project_id', '=', projectId)
    .where('version', '=', version)
    .executeTakeFirst()
  return row?.text ?? null
}

/** All that the project ever had, the oldest first. */
export const listConsentTexts = (db: Db, projectId: string): Promise<ConsentText[]> =>
  db
    .selectFrom('consent_texts')
    .select(['version', 'language', 'text', 'created_at'])
    .where('project_id', '=', projectId)
    .orderBy('created_at')
    .orderBy('version')
    .execute()
