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
    project_name: z.string().nullable(),
    target_id: id.nullable().describe('The webhook of a replay; otherwise the conversation or report'),
    total: z.number().int().describe('Number of items'),
    retries: z.number().int().describe('Number of retries so far'),
    created_at: timestamp,
    finished_at: timestamp.nullable(),
    failure: z
      .string()
      .nullable()
      .describe('Why it failed: the code of the conversation, chunk or report, or `internal`'),
  })
  .meta({ id: 'Job' })

export type JobRow = z.output<typeof Job>

/** Background jobs of the service. Finished jobs are listed for a day. */
export function listJobs({ db }: Context, query: z.output<typeof jobQuery>) {
  const { kind, state, project_id } = query
  const jobs = selectJobs(db)
    .$if(kind !== undefined, (q) => q.where('kind', '=', kind as JobRow['kind']))
    .$if(state !== undefined, (q) => q.where('state', '=', state as JobRow['state']))
    .$if(project_id !== undefined, (q) => q.where('project_id', '=', project_id as string))
  return newestFirst(jobs, query, (row) => row)
}

/** A job whose work failed for good has ended normally; its record has the failure. */
export const selectJobs = (db: Db) =>
  db
    .selectFrom(
      sql<JobRow>`(
        select r.id, 'replay' as kind, r.state, w.project_id, p.name as project_name, r.webhook_id as target_id, r.total, 0 as retries,
          r.created_at, r.finished_at, null as failure
        from replays r join webhooks w on w.id = r.webhook_id
          left join projects p on p.id = w.project_id and p.deleted_at is null
        union all
        select j.id, j.name,
          case when j.state = 'failed' or record.failure is not null then 'failed'
            else case j.state::text when 'active' then 'running' when 'completed' then 'done'
              when 'cancelled' then 'cancelled' else 'waiting' end end,
          j.group_id::uuid, p.name, coalesce(j.data ->> 'conversation_id', j.data ->> 'report_id')::uuid, 1, j.retry_count,
          j.created_on, j.completed_on, case when j.state = 'failed' then 'internal' else record.failure end
        from jobs.job j
        left join projects p on p.id = j.group_id::uuid and p.deleted_at is null
        left join lateral (
          select coalesce(failure, 'internal') as failure from reports
          where j.state = 'completed' and j.name = 'report' and id = (j.data ->> 'report_id')::uuid and status = 'failed' and deleted_at is null
          union all
          select coalesce(failure, 'internal') from conversations
          where j.state = 'completed' and j.name = 'summarize' and id = (j.data ->> 'conversation_id')::uuid
            and revision = (j.data ->> 'revision')::integer and status = 'failed' and deleted_at is null
          union all
          select coalesce(failure, 'internal') from chunks
          where j.state = 'completed' and j.name = 'transcribe' and conversation_id = (j.data ->> 'conversation_id')::uuid
            and seq = (j.data ->> 'seq')::integer and state = 'failed'
        ) record on true
        where j.name = any(${sql.val([...JOB_KINDS])})
      )`.as('job'),
    )
    .selectAll()
