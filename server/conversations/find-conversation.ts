import { type SelectQueryBuilder, sql, type UpdateObject } from 'kysely'
import type { Db, Tx } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { Problem } from '../api/problems.ts'
import { type Actor, audit } from '../auth/index.ts'
import { tenantIdsOf } from '../tenancy/index.ts'
import { notifyProject } from '../webhooks/index.ts'
import type { ConversationRow } from './payload.ts'

/** Selects one conversation that was not deleted. */
export const conversationById = (db: Db | Tx, id: string) =>
  db.selectFrom('conversations').selectAll().where('id', '=', id).where('deleted_at', 'is', null)

export const notFound = (): Problem => new Problem('not_found')

/** A conversation whose project the caller has access to. */
export const findConversation = (db: Db, id: string): Promise<ConversationRow> =>
  conversationById(db, id).executeTakeFirstOrThrow(notFound)

/** Every step locks the conversation first, so that steps do not overlap. Returns undefined when it was deleted. */
export const lockConversation = (tx: Tx, id: string): Promise<ConversationRow | undefined> =>
  conversationById(tx, id).forUpdate().executeTakeFirst()

/** The same, but throws `not_found` when it was deleted. */
export const lockExisting = (tx: Tx, id: string): Promise<ConversationRow> =>
  conversationById(tx, id).forUpdate().executeTakeFirstOrThrow(notFound)

/** The ids of the selected conversations, in batches, in order of creation. */
export async function* idsInBatches(
  rows: SelectQueryBuilder<Tables, 'conversations', object>,
  size: number,
): AsyncGenerator<string[]> {
  for (let last: string | undefined; ; ) {
    const rest = last === undefined ? rows : rows.where('id', '>', last)
    const batch = await rest.select('id').orderBy('id').limit(size).execute()
    if (batch.length === 0) return
    yield batch.map(({ id }) => id)
    last = batch.at(-1)?.id
  }
}

/** Updates a locked conversation, with its position in the stream of changes, and notifies the streams. */
export async function changeConversation(
  tx: Tx,
  id: string,
  changes: UpdateObject<Tables, 'conversations'>,
): Promise<ConversationRow> {
  const row = await tx
    .updateTable('conversations')
    .set({ ...changes, changed: sql`pg_current_xact_id()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await notifyProject(tx, row.project_id)
  return row
}

export async function auditConversation(
  tx: Tx,
  context: Actor & { target: { workspace_id: string } },
  action: string,
  id: string,
  details = {},
): Promise<void> {
  const tenantIds = await tenantIdsOf(tx, context.target)
  await audit(tx, context, { action, ...tenantIds, target: { kind: 'conversation', id }, details })
}
