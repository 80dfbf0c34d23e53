import { z } from 'zod'
import { newestFirst, type Page, type PageQuery } from '../../api/pagination.ts'
import type { Context } from '../../api/route-spec.ts'
import { id, timestamp } from '../../api/schema.ts'
import type { IdentityStore, ProjectTarget } from '../../auth/index.ts'
import { actorsOf } from '../members/profiles.ts'

export const ProjectChange = z
  .object({
    id,
    at: timestamp,
    user_id: z.string(),
    user_name: z
      .string()
      .nullable()
      .describe(
        'null while the identity store is unavailable, for former users, and for staff unless staff asks',
      ),
    staff: z.boolean().describe('Whether it was a member of staff'),
    fields: z.array(z.string()).describe('Names of the fields that changed; `logo` for the logo'),
  })
  .meta({ id: 'ProjectChange' })

/** Changes of the settings with their authors, newest first. The entries are those of the audit log. */
export async function listChanges(
  { db, target, principal }: Context<ProjectTarget>,
  query: PageQuery,
  store: IdentityStore,
): Promise<Page<z.output<typeof ProjectChange>>> {
  const rows = db
    .selectFrom('audit_log')
    .select(['id', 'at', 'actor_id', 'actor_staff', 'details'])
    .where('target_id', '=', target.id)
    .where('target_kind', '=', 'project')
    .where('action', '=', 'project.updated')
  const page = await newestFirst(rows, query, (row) => row)
  const actors = await actorsOf(store, principal, page.data)
  return {
    ...page,
    data: page.data.map(({ id, at, actor_id, actor_staff, details }) => ({
      id,
      at,
      user_id: actor_id,
      user_name: actors.get(actor_id)?.name ?? null,
      staff: actor_staff,
      fields: (details as { fields?: string[] }).fields ?? [],
    })),
  }
}
