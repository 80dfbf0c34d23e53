import type { z } from 'zod'
import type { Tx } from '../../database/database.ts'
import { newId } from '../../platform/ids.ts'
import { invalidInput } from '../api/problems.ts'
import { type Answer, accepted } from '../api/response.ts'
import { audit, type Context } from '../auth/index.ts'
import type { Jobs } from '../background/queue.ts'
import { type Limits, lockTierOfWorkspace, placeOf } from '../tenancy/index.ts'
import type { ReportAccess } from './find-report.ts'
import type { NewReport } from './schema.ts'

export type ReportJobs = { report: { report_id: string } }

/** A new version: earlier ones stay as they are. It is made by a job, now or when it is time. */
export async function createReport(
  context: Context<ReportAccess, z.output<typeof NewReport>>,
  tx: Tx,
  { jobs, limits }: { jobs: Jobs<ReportJobs>; limits: Limits },
): Promise<Answer> {
  const { target, body } = context
  await checkLimit(tx, target.workspace_id, limits)
  if (body.conversation_ids) await requireOwn(tx, target.id, body.conversation_ids)
  const id = newId()
  const status = body.scheduled_at ? 'scheduled' : 'generating'
  await tx
    .insertInto('reports')
    .values({
      id,
      project_id: target.id,
      status,
      title: body.title ?? null,
      language: body.language ?? target.language,
      instructions: body.instructions ?? null,
      conversation_ids: body.conversation_ids ?? null,
      scheduled_at: body.scheduled_at ?? null,
      created_by: context.principal.userId,
    })
    .execute()
  const startAfter = body.scheduled_at ? { startAfter: new Date(body.scheduled_at) } : {}
  await jobs.enqueue(tx, 'report', { report_id: id }, { projectId: target.id, ...startAfter })
  const place = await placeOf(tx, target)
  await audit(tx, context, { action: 'report.create', ...place, target: { kind: 'report', id } })
  return accepted({ id, status })
}

/** Each open report holds a job and, while it is made, the summariser. */
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

/** Whoever names another project's conversation learns no more than that it is not one of these. */
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
    throw invalidInput({ path: `conversation_ids.${at}`, message: 'is no conversation of this project' })
}
