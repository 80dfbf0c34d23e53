import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../../database/database.ts'
import { deliveryLog } from '../../../delivery/index.ts'
import { runEach } from '../../../platform/run-each.ts'

const PROJECT_BATCH_SIZE = 20
/** It announces the erasure, and has ids only. */
const KEPT = 'conversation.erased'

/** Erases the payloads of the events about one conversation or report, and the responses to them. */
export const erasePayloads = (tx: Tx, subjectId: string): Promise<void> =>
  deliveryLog.erasePayloads(tx, subjectId, KEPT)

/** Erases the payloads and responses of deleted projects in batches. Returns whether there are more. */
export async function eraseDeletedProjects(db: Db): Promise<boolean> {
  const projects = await db
    .selectFrom('projects')
    .select('id')
    .where('deleted_at', 'is not', null)
    .where('erased_at', 'is', null)
    .limit(PROJECT_BATCH_SIZE)
    .execute()
  const more = await runEach(projects, ({ id }) => inTransaction(db, (tx) => eraseBatch(tx, id)))
  return projects.length === PROJECT_BATCH_SIZE || more.includes(true)
}

async function eraseBatch(tx: Tx, projectId: string): Promise<boolean> {
  if (await deliveryLog.erasePayloadsOfProject(tx, projectId)) return true
  await tx.updateTable('projects').set({ erased_at: sql`now()` }).where('id', '=', projectId).execute()
  return false
}
