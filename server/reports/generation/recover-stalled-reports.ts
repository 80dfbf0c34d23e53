import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/database.ts'
import { runEach } from '../../../platform/run-each.ts'
import type { Jobs } from '../../background/queue.ts'

const MAX_RECOVERED = 1_000

interface LostReport {
  id: string
  project_id: string
  recovered_at: string | null
}

/** Reports that were due an hour ago and have no job, as after a crash or a restored database. Those that were restarted before fail. */
export async function recoverStalledReports(db: Db, jobs: Jobs): Promise<number> {
  const { rows } = await sql<LostReport>`
    select id, project_id, recovered_at from reports
    where status in ('scheduled', 'generating') and deleted_at is null
      and greatest(created_at, scheduled_at, recovered_at) < now() - interval '1 hour'
    order by id limit ${MAX_RECOVERED}`.execute(db)
  const ids = rows.map(({ id }) => id)
  const active = await jobs.valuesWithJob(['report'], 'report_id', ids)
  const lost = rows.filter(({ id }) => !active.has(id))
  await runEach(lost, (report) =>
    report.recovered_at === null ? restart(db, jobs, report) : fail(db, report),
  )
  return lost.length
}

/** Only one of several concurrent workers enqueues the job. */
const restart = (db: Db, jobs: Jobs, { id, project_id }: LostReport): Promise<void> =>
  inTransaction(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('reports')
      .set({ recovered_at: sql`now()` })
      .where('id', '=', id)
      .where('recovered_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await jobs.enqueue(tx, 'report', { report_id: id }, { projectId: project_id })
  })

async function fail(db: Db, { id }: LostReport): Promise<void> {
  await db
    .updateTable('reports')
    .set({ status: 'failed', failure: 'internal' })
    .where('id', '=', id)
    .where('status', 'in', ['scheduled', 'generating'])
    .execute()
}
