import { sql } from 'kysely'
import { type Db, inTransaction } from '../../database/database.ts'
import { inTurn } from '../../platform/run-each.ts'
import type { Jobs } from '../background/queue.ts'
import type { ReportJobs } from './create-report.ts'

const MOST_RENEWED = 1_000

interface LostReport {
  id: string
  project_id: string
  renewed_at: string | null
}

/**
 * Takes up reports that have been due for an hour and that no job makes: its last try may have died with its process, or have
 * been lost with a database that was restored. One that was taken up before has failed. Answers how many.
 */
export async function renewReports(db: Db, jobs: Jobs<ReportJobs>): Promise<number> {
  const { rows } = await sql<LostReport>`
    select id, project_id, renewed_at from reports
    where status in ('scheduled', 'generating') and deleted_at is null
      and greatest(created_at, scheduled_at, renewed_at) < now() - interval '1 hour'
    order by id limit ${MOST_RENEWED}`.execute(db)
  const ids = rows.map(({ id }) => id)
  const atWork = await jobs.atWork(['report'], 'report_id', ids)
  const lost = rows.filter(({ id }) => !atWork.has(id))
  await inTurn(lost, (report) => (report.renewed_at === null ? takeUp(db, jobs, report) : giveUp(db, report)))
  return lost.length
}

/** By one worker, of several that look at the same moment. */
const takeUp = (db: Db, jobs: Jobs<ReportJobs>, { id, project_id }: LostReport): Promise<void> =>
  inTransaction(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('reports')
      .set({ renewed_at: sql`now()` })
      .where('id', '=', id)
      .where('renewed_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await jobs.enqueue(tx, 'report', { report_id: id }, { projectId: project_id })
  })

async function giveUp(db: Db, { id }: LostReport): Promise<void> {
  await db
    .updateTable('reports')
    .set({ status: 'failed', failure: 'internal' })
    .where('id', '=', id)
    .where('status', 'in', ['scheduled', 'generating'])
    .execute()
}
