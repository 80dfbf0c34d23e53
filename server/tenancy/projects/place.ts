import type { Db, Tx } from '../../../database/database.ts'

/** Where a project is, for the audit log. */
export async function placeOf(
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
