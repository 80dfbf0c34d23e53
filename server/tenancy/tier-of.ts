import { sql } from 'kysely'
import type { Tx } from '../../database/database.ts'
import { Problem } from '../api/problems.ts'
import type { Tier } from '../auth/index.ts'
import { highestTier } from './limits.ts'

/** The highest tier among the workspaces of an organisation. */
export async function tierOfOrganisation(tx: Tx, organisationId: string): Promise<Tier> {
  const rows = await tx
    .selectFrom('workspaces')
    .select('tier')
    .distinct()
    .where('organisation_id', '=', organisationId)
    .where('deleted_at', 'is', null)
    .execute()
  return highestTier(rows.map(({ tier }) => tier))
}

/** The highest tier among the workspaces of the organisations that a user has created. */
export async function tierOfUser(tx: Tx, userId: string): Promise<Tier> {
  const rows = await tx
    .selectFrom('workspaces as w')
    .innerJoin('organisations as o', 'o.id', 'w.organisation_id')
    .select('w.tier')
    .distinct()
    .where('o.created_by', '=', userId)
    .where('o.deleted_at', 'is', null)
    .where('w.deleted_at', 'is', null)
    .execute()
  return highestTier(rows.map(({ tier }) => tier))
}

/**
 * The tier of a workspace in which something is about to be created and counted. Locked until the transaction ends, so that
 * parallel requests count one after the other; weakly, so that rows which refer to the workspace can still be written.
 */
export async function lockTierOfWorkspace(tx: Tx, workspaceId: string): Promise<Tier> {
  const row = await tx
    .selectFrom('workspaces')
    .select('tier')
    .where('id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw new Problem('not_found')
  return row.tier as Tier
}

/** A user has no row to lock: parallel requests of one user that create organisations wait for this instead. */
export async function lockUser(tx: Tx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`organisations of ${userId}`}, 0))`.execute(tx)
}
