import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/database.ts'
import {
  organisationRolesWith,
  type Principal,
  type WorkspaceCapability,
  workspaceRolesWith,
} from '../auth/index.ts'

/** The record that an entry of the audit log is about, as far as the caller can read it. */
export interface AuditTarget {
  target_name: string | null
  target_project_id: string | null
}

interface Named extends AuditTarget {
  id: string
}

/** SQL: the host of a webhook's URL, which can contain a password. */
const HOST = sql`substring(t.url from '^[a-z]+://(?:[^/@]*@)?([^/?#]+)')`

type Entry = { target_kind: string; target_id: string }

/**
 * The names of the targets that still exist and that the caller can read. The log itself contains no names, because it outlives the records.
 * Staff see no titles of conversations and reports here: each time they read one of these, the log gets an entry.
 */
export async function auditTargets(
  db: Db,
  { userId, staff }: Pick<Principal, 'userId' | 'staff'>,
  entries: readonly Entry[],
): Promise<Map<string, AuditTarget>> {
  const mine = (capability: WorkspaceCapability): RawBuilder<unknown> => sql`exists (
    select from workspace_members m where m.workspace_id = w.id and m.user_id = ${userId}
      and m.role = any(${workspaceRolesWith(capability)}))`
  const orStaff = (condition: RawBuilder<unknown>): RawBuilder<unknown> => (staff ? sql`true` : condition)
  const myOrganisations = sql`(
    select m.organisation_id from organisation_members m
    where m.user_id = ${userId} and m.role = any(${organisationRolesWith('workspace:list')}))`
  const inProject = sql`join projects p on p.id = t.project_id and p.deleted_at is null
    join workspaces w on w.id = p.workspace_id`
  const selects: Record<string, (ids: readonly string[]) => RawBuilder<unknown>> = {
    organisation: (ids) => sql`
      select o.id, o.name as target_name, null::uuid as target_project_id from organisations o
      where o.id = any(${ids}) and o.deleted_at is null and ${orStaff(sql`o.id in ${myOrganisations}`)}`,
    workspace: (ids) => sql`
      select w.id, w.name as target_name, null::uuid as target_project_id from workspaces w
      where w.id = any(${ids}) and w.deleted_at is null
        and ${orStaff(sql`(w.organisation_id in ${myOrganisations} or ${mine('project:read')})`)}`,
    project: (ids) => sql`
      select p.id, p.name as target_name, p.id as target_project_id from projects p join workspaces w on w.id = p.workspace_id
      where p.id = any(${ids}) and p.deleted_at is null and ${orStaff(mine('project:read'))}`,
    conversation: (ids) => sql`
      select t.id, coalesce(t.title, t.participant_name) as target_name, p.id as target_project_id
      from conversations t ${inProject}
      where t.id = any(${ids}) and t.deleted_at is null and ${mine('conversation:read')}`,
    report: (ids) => sql`
      select t.id, t.title as target_name, p.id as target_project_id from reports t ${inProject}
      where t.id = any(${ids}) and t.deleted_at is null and ${mine('report:read')}`,
    webhook: (ids) => sql`
      select t.id, coalesce(t.name, ${HOST}) as target_name, p.id as target_project_id
      from webhooks t ${inProject}
      where t.id = any(${ids}) and t.deleted_at is null and ${orStaff(mine('workspace:webhooks'))}`,
  }
  const parts = [...Map.groupBy(entries, ({ target_kind }) => target_kind)].flatMap(([kind, own]) => {
    const ids = [...new Set(own.map(({ target_id }) => target_id))]
    return selects[kind]?.(ids) ?? []
  })
  if (parts.length === 0) return new Map()
  const { rows } = await sql<Named>`${sql.join(parts, sql` union all `)}`.execute(db)
  return new Map(rows.map(({ id, ...target }) => [id, target]))
}
