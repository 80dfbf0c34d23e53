import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../database/database.ts'
import { newestFirst, pageQuery } from '../api/pagination.ts'
import type { Context } from '../api/route-spec.ts'
import { id, timestamp } from '../api/schema.ts'

/** Public names: background/jobs.test.ts checks that they are all the jobs there are. */
export const JOB_KINDS = ['transcribe', 'summarize', 'report', 'erase', 'join_audio'] as const
const kind = z.enum(['replay', ...JOB_KINDS])
const state = z.enum(['waiting', 'running', 'done', 'failed', 'cancelled'])

export const jobQuery = pageQuery.extend({
  kind: kind.optional(),
  state: state.optional(),
  project_id: id.optional().describe('Only jobs of this project'),
})

export const Job = z
  .object({
    id,
    kind,
    state,
    project_id: id.nullable(),
    target_id: id.nullable().describe('The webhook of a replay; otherwise the conversation or report'),
    total: z.number().int().describe('Number of items'),
    retries: z.number().int().describe('Number of retries so far'),
    created_at: timestamp,
    finished_at: timestamp.nullable(),
  })
  .meta({ id: 'Job' })

type JobRow = z.output<typeof Job>

/** Background jobs of the service. Finished jobs are listed for a day. */
export function listJobs({ db }: Context, query: z.output<typeof jobQuery>) {
  const { kind, state, project_id } = query
  const jobs = selectJobs(db)
    .$if(kind !== undefined, (q) => q.where('kind', '=', kind as JobRow['kind']))
    .$if(state !== undefined, (q) => q.where('state', '=', state as JobRow['state']))
    .$if(project_id !== undefined, (q) => q.where('project_id', '=', project_id as string))
  return newestFirst(jobs, query, (row) => row)
}

const selectJobs = (db: Db) =>
  db
    .selectFrom(
      sql<JobRow>`(
        select r.id, 'replay' as kind, r.state, w.project_id, r.webhook_id as target_id, r.total, 0 as retries,
          r.created_at, r.finished_at
        from replays r join webhooks w on w.id = r.webhook_id
        union all
        select j.id, j.name,
          case j.state::text when 'active' then 'running' when 'completed' then 'done' when 'failed' then 'failed'
            when 'cancelled' then 'cancelled' else 'waiting' end,
          j.group_id::uuid, coalesce(j.data ->> 'conversation_id', j.data ->> 'report_id')::uuid, 1, j.retry_count,
          j.created_on, j.completed_on
        from jobs.job j
        where j.name = any(${sql.val([...JOB_KINDS])})
      )`.as('job'),
    )
    .selectAll()
