import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { Problem } from '../api/problems.ts'

type TenantTable = 'organisations' | 'workspaces' | 'projects'

/**
 * Locks a record that is not deleted: it cannot be deleted before the transaction ends, and parallel requests count one after
 * the other. With `no key update`, rows that refer to the record can still be written.
 */
export async function lockRecord<T extends TenantTable>(
  tx: Tx,
  table: T,
  id: string,
  mode: 'update' | 'no key update' | 'share' = 'update',
): Promise<Selectable<Tables[T]>> {
  const { rows } = await sql<Selectable<Tables[T]>>`select * from ${sql.table(table)}
    where id = ${id} and deleted_at is null for ${sql.raw(mode)}`.execute(tx)
  if (!rows[0]) throw new Problem('not_found')
  return rows[0]
}

export async function markDeleted(tx: Tx, table: TenantTable, id: string): Promise<void> {
  const { rows } = await sql`update ${sql.table(table)} set deleted_at = now()
    where id = ${id} and deleted_at is null returning 1`.execute(tx)
  if (rows.length === 0) throw new Problem('not_found')
}

/** Counts the records with this value that are not deleted. */
export async function countRecords(tx: Tx, table: TenantTable, column: string, value: string) {
  const { rows } = await sql<{ count: number }>`select count(*) from ${sql.table(table)}
    where ${sql.ref(column)} = ${value} and deleted_at is null`.execute(tx)
  return rows[0]?.count ?? 0
}

/** The workspace and organisation of a project, for the audit log. */
export async function tenantIdsOf(tx: Db | Tx, { workspace_id }: { workspace_id: string }) {
  const { organisation_id } = await tx
    .selectFrom('workspaces')
    .select('organisation_id')
    .where('id', '=', workspace_id)
    .executeTakeFirstOrThrow()
  return { organisationId: organisation_id, workspaceId: workspace_id }
}
