import type { Tx } from '../../../database/database.ts'
import type { Jobs } from '../../background/queue.ts'

export type ReportJobs = { report: { report_id: string } }

/** Generates a failed report again. False if it has not failed. */
export async function restartReport(tx: Tx, jobs: Jobs<ReportJobs>, id: string): Promise<boolean> {
  const restarted = await tx
    .updateTable('reports')
    .set({ status: 'generating', failure: null, progress: 0 })
    .where('id', '=', id)
    .where('status', '=', 'failed')
    .where('deleted_at', 'is', null)
    .returning('project_id')
    .executeTakeFirst()
  if (!restarted) return false
  await jobs.enqueue(tx, 'report', { report_id: id }, { projectId: restarted.project_id })
  return true
}
