import type { Db, Tx } from '../../database/database.ts'

/** The workspace and organisation of a project, for the audit log. */
export async function tenantIdsOf(
  tx: Db | Tx,
  { workspace_id }: { workspace_id: string },
): Promise<{ organisationId: string; workspaceId: string }> {
  const row = await tx
    .selectFrom('workspaces')
    .select('organisation_id')
    .where('id', '=', workspace_id)
    .executeTakeFirstOrThrow()
  return { organisationId: row.organisation_id, workspaceId: workspace_id }
}
