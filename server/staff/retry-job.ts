import { z } from 'zod'
import type { Db, Tx } from '../../database/database.ts'
import { isUuid } from '../../platform/ids.ts'
import { Problem } from '../api/problems.ts'
import type { ChangeContext } from '../api/route-spec.ts'
import { id } from '../api/schema.ts'
import { audit } from '../auth/index.ts'
import type { Jobs } from '../background/queue.ts'
import {
  type ConversationJobs,
  type Lifecycle,
  lockConversation,
  repeatFrom,
} from '../conversations/index.ts'
import { type ReportJobs, restartReport } from '../reports/index.ts'
import { tenantIdsOf } from '../tenancy/index.ts'
import { type JobRow, selectJobs } from './list-jobs.ts'
import type { JobRetry } from './schema.ts'

export interface RetryParts extends Omit<Lifecycle, 'jobs'> {
  jobs: Jobs<ConversationJobs & ReportJobs>
}

export const RetriedJob = z.object({ id }).meta({ id: 'RetriedJob' })

type Found = JobRow & { workspace_id: string }

/** A job of an existing project. */
export async function findJob(db: Db, jobId: string | undefined): Promise<Found> {
  const job = isUuid(jobId) ? await selectJobs(db).where('id', '=', jobId).executeTakeFirst() : undefined
  const project =
    job?.project_id &&
    (await db
      .selectFrom('projects')
      .select('workspace_id')
      .where('id', '=', job.project_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst())
  if (!job || !project) throw new Problem('not_found')
  return { ...job, ...project }
}

/** Runs the job again, or repeats the step of the conversation or report that it left as failed. */
export async function retryJob(
  context: ChangeContext,
  job: Found,
  { reason }: z.output<typeof JobRetry>,
  parts: RetryParts,
): Promise<z.output<typeof RetriedJob>> {
  const { tx } = context
  if (job.kind === 'replay')
    throw new Problem('job_not_failed', {
      detail: 'A replay cannot be retried. Start a new replay instead.',
    })
  const isRetried = (await parts.jobs.retry(tx, job.kind, job.id)) || (await repeatWork(tx, job, parts))
  if (!isRetried) throw new Problem('job_not_failed')
  await audit(tx, context, {
    action: 'job.retry',
    ...(await tenantIdsOf(tx, job)),
    target: { kind: 'job', id: job.id },
    reason,
    details: { kind: job.kind, ...(job.failure && { failure: job.failure }) },
  })
  return { id: job.id }
}

async function repeatWork(tx: Tx, { kind, state, target_id }: JobRow, parts: RetryParts): Promise<boolean> {
  if (state !== 'failed' || target_id === null) return false
  if (kind === 'report') return restartReport(tx, parts.jobs, target_id)
  if (kind !== 'transcribe' && kind !== 'summarize') return false
  const row = await lockConversation(tx, target_id)
  if (!row) return false
  if (row.status !== 'done' && row.status !== 'failed') throw new Problem('conversation_in_progress')
  await repeatFrom(parts, tx, row, kind === 'transcribe' ? 'transcribing' : 'summarizing')
  return true
}
