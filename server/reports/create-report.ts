import type { z } from 'zod'
import type { Tx } from '../../database/database.ts'
import { newId } from '../../platform/ids.ts'
import { invalidInput } from '../api/problems.ts'
import type { ChangeContext } from '../api/route-spec.ts'
import { audit, type ProjectTarget } from '../auth/index.ts'
import type { Jobs } from '../background/queue.ts'
import { AUTO, type Limits, lockTierOfWorkspace, tenantIdsOf } from '../tenancy/index.ts'
import type { ReportJobs } from './generation/restart-report.ts'
import type { NewReport, StartedReport } from './schema.ts'

/** Creates a new version; earlier ones stay. A job generates it, now or at the scheduled time. */
export async function createReport(
  context: ChangeContext<ProjectTarget>,
  report: z.output<typeof NewReport>,
  { jobs, limits }: { jobs: Jobs<ReportJobs>; limits: Limits },
): Promise<z.output<typeof StartedReport>> {
  const { target, tx } = context
  await checkLimit(tx, target.workspace_id, limits)
  if (report.conversation_ids) await requireOwn(tx, target.id, report.conversation_ids)
  const id = newId()
  const status = report.scheduled_at ? 'scheduled' : 'generating'
  await tx
    .insertInto('reports')
    .values({
      id,
      project_id: target.id,
      status,
      title: report.title ?? null,
      language: report.language ?? (await languageOf(tx, target)),
      instructions: report.instructions ?? null,
      conversation_ids: report.conversation_ids ?? null,
      scheduled_at: report.scheduled_at ?? null,
      created_by: context.principal.userId,
    })
    .execute()
  const startAfter = report.scheduled_at ? { startAfter: new Date(report.scheduled_at) } : {}
  await jobs.enqueue(tx, 'report', { report_id: id }, { projectId: target.id, ...startAfter })
  await audit(tx, context, {
    action: 'report.create',
    ...(await tenantIdsOf(tx, target)),
    target: { kind: 'report', id },
  })
  return { id, status }
}

/** The language of the project, or of most of its conversations if it is detected. */
async function languageOf(tx: Tx, { id, language }: ProjectTarget): Promise<string> {
  if (language !== AUTO) return language
  const spoken = await tx
    .selectFrom('conversations')
    .select(({ fn }) => fn.coalesce('detected_language', 'language').as('language'))
    .where('project_id', '=', id)
    .where('deleted_at', 'is', null)
    .groupBy(({ fn }) => fn.coalesce('detected_language', 'language'))
    .having(({ fn }) => fn.coalesce('detected_language', 'language'), 'is not', null)
    .orderBy(({ fn }) => fn.countAll(), 'desc')
    .orderBy('language')
    .limit(1)
    .executeTakeFirst()
  return spoken?.language ?? 'en'
}

/** Each open report has a job, and occupies the summariser while it is generated. */
async function checkLimit(tx: Tx, workspaceId: string, limits: Limits): Promise<void> {
  const tier = await lockTierOfWorkspace(tx, workspaceId)
  const { count } = await tx
    .selectFrom('reports as r')
    .innerJoin('projects as p', 'p.id', 'r.project_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('p.workspace_id', '=', workspaceId)
    .where('p.deleted_at', 'is', null)
    .where('r.deleted_at', 'is', null)
    .where('r.status', 'in', ['scheduled', 'generating'])
    .executeTakeFirstOrThrow()
  limits.check('reports', { kind: 'workspace', tier }, count)
}

/** The error is the same for an unknown conversation and for one of another project. */
async function requireOwn(tx: Tx, projectId: string, ids: string[]): Promise<void> {
  const rows = await tx
    .selectFrom('conversations')
    .select('id')
    .where('project_id', '=', projectId)
    .where('deleted_at', 'is', null)
    .where('id', 'in', ids)
    .execute()
  const own = new Set(rows.map(({ id }) => id))
  const at = ids.findIndex((id) => !own.has(id.toLowerCase()))
  if (at >= 0)
    throw invalidInput({ path: `conversation_ids.${at}`, message: 'is not a conversation of this project' })
}
