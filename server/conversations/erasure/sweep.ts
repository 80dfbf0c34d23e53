import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/database.ts'
import type { FileStore } from '../../../storage/file-store.ts'
import { projectFolder } from '../../tenancy/index.ts'
import { byService, type Deletion, deleteConversation } from '../delete-conversation.ts'
import type { Lifecycle } from '../lifecycle/steps.ts'

const BATCH_SIZE = 100
const MAX_RECOVERED = 1_000

/** Deletes conversations past their project's retention, and those of deleted projects. Returns whether there are more. */
export async function sweepConversations(lifecycle: Lifecycle, db: Db, files: FileStore): Promise<boolean> {
  const moreExpired = await deleteExpired(lifecycle, db)
  const moreLeft = await emptyProjects(lifecycle, db, files)
  return moreExpired || moreLeft
}

async function deleteExpired(lifecycle: Lifecycle, db: Db): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select c.id from projects p
    cross join lateral (
      select id from conversations
      where project_id = p.id and deleted_at is null and status <> 'recording'
        and finished_at < now() - make_interval(days => p.retention_days)
      limit ${BATCH_SIZE}) c
    where p.retention_days is not null and p.deleted_at is null
    limit ${BATCH_SIZE}`.execute(db)
  await deleteAll(lifecycle, db, rows, byService('conversation.expire'))
  return rows.length === BATCH_SIZE
}

/** At most one batch over all projects, because a shutdown waits for it. */
async function emptyProjects(lifecycle: Lifecycle, db: Db, files: FileStore): Promise<boolean> {
  const projects = await db.selectFrom('projects_to_empty').select('project_id').limit(BATCH_SIZE).execute()
  let left = BATCH_SIZE
  for (const { project_id } of projects) {
    await files.removeAll(projectFolder(project_id))
    left -= await emptyProject(lifecycle, db, project_id, left)
    if (left === 0) return true
  }
  return projects.length === BATCH_SIZE
}

/** No conversation starts in a deleted project, so an empty one stays empty. Returns how many were deleted. */
async function emptyProject(lifecycle: Lifecycle, db: Db, projectId: string, max: number): Promise<number> {
  const rows = await db
    .selectFrom('conversations')
    .select('id')
    .where('project_id', '=', projectId)
    .where('deleted_at', 'is', null)
    .limit(max)
    .execute()
  await deleteAll(lifecycle, db, rows, null)
  if (rows.length < max)
    await inTransaction(db, async (tx) => {
      for (const table of ['consent_texts', 'projects_to_empty'] as const)
        await tx.deleteFrom(table).where('project_id', '=', projectId).execute()
      await tx.updateTable('projects').set({ logo: null }).where('id', '=', projectId).execute()
    })
  return rows.length
}

async function deleteAll(lifecycle: Lifecycle, db: Db, rows: { id: string }[], deletion: Deletion | null) {
  for (const { id } of rows) await inTransaction(db, (tx) => deleteConversation(lifecycle, tx, id, deletion))
}

/** An hour after the deletion: the job failed for good, or a restored database lost it. A second job does no harm. Returns how many. */
export async function recoverStalledErasures(db: Db, jobs: Lifecycle['jobs']): Promise<number> {
  const { rows } = await sql<{ id: string; project_id: string }>`
    select id, project_id from conversations
    where erased_at is null and deleted_at < now() - interval '1 hour'
    limit ${MAX_RECOVERED}`.execute(db)
  const lost = rows.map(({ id, project_id }) => ({ data: { conversation_id: id }, projectId: project_id }))
  await inTransaction(db, (tx) => jobs.enqueueAll(tx, 'erase', lost))
  return rows.length
}
