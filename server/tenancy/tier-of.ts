import { sql } from 'kysely'
import type { Tx } from '../../database/database.ts'
import type { Tier } from '../auth/index.ts'
import { highestTier } from './limits.ts'
import { lockRecord } from './records.ts'

/** The highest tier among the workspaces of an organisation. */
export async function tierOfOrganisation(tx: Tx, organisationId: string): Promise<Tier> {
  const workspaces = tx.selectFrom('workspaces').select('tier').distinct().where('deleted_at', 'is', null)
  const rows = await workspaces.where('organisation_id', '=', organisationId).execute()
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

/** The tier of a workspace in which something is about to be created and counted. */
export const lockTierOfWorkspace = async (tx: Tx, workspaceId: string): Promise<Tier> =>
  (await lockRecord(tx, 'workspaces', workspaceId, 'no key update')).tier as Tier

/** A user has no row to lock: parallel requests of one user that create organisations wait for this instead. */
export async function lockUser(tx: Tx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`organisations of ${userId}`}, 0))`.execute(tx)
}
