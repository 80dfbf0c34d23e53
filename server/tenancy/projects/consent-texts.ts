import { hash } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../kernel/database.ts'
import type { Tables } from '../../kernel/tables.ts'

type ConsentText = Omit<Selectable<Tables['consent_texts']>, 'project_id'>

/** What a consent names a text by: whoever has the text can check it. */
export const versionOfConsent = (text: string): string => hash('sha256', text, 'hex')

/** Kept in the transaction that sets it, so that there is none which somebody could have agreed to and nobody can show. */
export async function keepConsentText(
  tx: Tx,
  project: { id: string; language: string; consent_text: string | null },
): Promise<void> {
  const { id, language, consent_text } = project
  if (consent_text === null) return
  await tx
    .insertInto('consent_texts')
    .values({ project_id: id, version: versionOfConsent(consent_text), language, text: consent_text })
    .onConflict((same) => same.doNothing())
    .execute()
}

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
