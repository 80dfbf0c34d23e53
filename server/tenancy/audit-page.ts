import { type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Tables } from '../../database/tables.ts'
import { newestFirst, type Page, pageQuery } from '../api/pagination.ts'
import type { Context } from '../api/route-spec.ts'
import { id, moment, text, timestamp, userId } from '../api/schema.ts'
import type { IdentityStore } from '../auth/index.ts'
import { type AuditTarget, auditTargets } from './audit-targets.ts'
import { actorsOf } from './members/profiles.ts'

export const AuditEntry = z
  .object({
    id,
    at: timestamp,
    actor_id: z.string(),
    actor_name: z
      .string()
      .nullable()
      .describe(
        'Name of the actor at the identity store, or else the e-mail address. Null if the store does not know the actor or is unavailable; and, except for staff, if the actor was staff',
      ),
    actor_staff: z.boolean(),
    action: z.string(),
    organisation_id: id.nullable(),
    to_organisation_id: id.nullable().describe('Organisation to which the workspace was transferred'),
    workspace_id: id.nullable(),
    target_kind: z.string(),
    target_id: z.string(),
    target_name: z
      .string()
      .nullable()
      .describe(
        'Name or title of the target, if it still exists and the caller can read it. Staff see no names of conversations and reports',
      ),
    target_project_id: id.nullable().describe('Project of the target, under the same conditions'),
    reason: z.string().nullable(),
    details: z.record(z.string(), z.unknown()),
    request_id: z.string(),
  })
  .meta({ id: 'AuditEntry' })

export const auditQuery = pageQuery.extend({
  action: text(1, 100).optional().describe('Only entries with this action, such as `workspace.member.added`'),
  actor_id: userId.optional().describe('Only entries of this user'),
  target_kind: text(1, 100).optional().describe('Only entries with this kind of target, such as `project`'),
  target_id: userId.optional().describe('Only entries with this target'),
  workspace_id: id.optional().describe('Only entries of this workspace'),
  since: moment.optional().describe('Only entries at this time or later'),
  until: moment.optional().describe('Only entries before this time'),
})
export type AuditQuery = z.output<typeof auditQuery>

type AuditRow = Selectable<Tables['audit_log']>
type AuditRows = SelectQueryBuilder<Tables, 'audit_log', AuditRow>

export async function pageOfAudit(
  { db, principal }: Pick<Context, 'db' | 'principal'>,
  query: AuditQuery,
  store: IdentityStore,
  narrow: (rows: AuditRows) => AuditRows,
): Promise<Page<z.output<typeof AuditEntry>>> {
  const rows = filtered(db.selectFrom('audit_log').selectAll(), query)
  const page = await newestFirst(narrow(rows), query, (row) => row)
  const [targets, actors] = await Promise.all([
    auditTargets(db, principal, page.data),
    actorsOf(store, principal, page.data),
  ])
  const data = page.data.map((row) => {
    const actor = actors.get(row.actor_id)
    const actor_name = actor?.name ?? actor?.email ?? null
    return { ...row, actor_name, ...(targets.get(row.target_id) ?? UNNAMED) }
  })
  return { ...page, data }
}

const UNNAMED: AuditTarget = { target_name: null, target_project_id: null }

const EXACT = ['action', 'actor_id', 'target_kind', 'target_id', 'workspace_id'] as const

function filtered(rows: AuditRows, query: AuditQuery): AuditRows {
  const { since, until } = query
  const exact = EXACT.reduce((narrowed, column) => {
    const value = query[column]
    return value === undefined ? narrowed : narrowed.where(column, '=', value)
  }, rows)
  return exact
    .$if(since !== undefined, (q) => q.where(sql<boolean>`at >= ${since} and id >= ${idAt(since, '-1 day')}`))
    .$if(until !== undefined, (q) => q.where(sql<boolean>`at < ${until} and id < ${idAt(until, '1 day')}`))
}

/**
 * An id starts with the time of the process that made it, while `at` is the database's time. A bound on the id, with a day of
 * tolerance for clocks that differ, lets the index skip all rows outside the period.
 */
const idAt = (time: string | undefined, tolerance: string) =>
  sql`uuid_floor(${time}::timestamptz + ${tolerance}::interval)`
