import { hash } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Db } from '../../../database/database.ts'
import type { Tables } from '../../../database/tables.ts'
import { AUTO } from './auto-language.ts'

type ConsentText = Omit<Selectable<Tables['consent_texts']>, 'project_id'>

/** The digest by which a consent refers to its text. The database stores each text when it is set (`keep_consent_text`). */
export const versionOfConsent = (text: string): string => hash('sha256', text, 'hex')

/** Null: the consent is older than the storing of texts. */
export async function findConsentText(db: Db, projectId: string, version: string): Promise<string | null> {
  const row = await db
    .selectFrom('consent_texts')
    .select('text')
    .where('project_id', '=', projectId)
    .where('version', '=', version)
    .executeTakeFirst()
  return row?.text ?? null
}

/** All texts that the project has had, oldest first. `und` is the tag of an undetermined language. */
export async function listConsentTexts(db: Db, projectId: string): Promise<ConsentText[]> {
  const rows = await db
    .selectFrom('consent_texts')
    .select(['version', 'language', 'text', 'created_at'])
    .where('project_id', '=', projectId)
    .orderBy('created_at')
    .orderBy('version')
    .execute()
  return rows.map((row) => (row.language === AUTO ? { ...row, language: 'und' } : row))
}
