import { sql } from 'kysely'
import { inTransaction } from '../../database/database.ts'
import type { Context } from '../api/route-spec.ts'
import { audit } from '../auth/index.ts'
import { tenantIdsOf } from './records.ts'

export type StaffReading = Pick<Context, 'principal' | 'requestId' | 'roles' | 'db'> & {
  target: { workspace_id: string }
}

export interface ReadTarget {
  kind: 'conversation' | 'report' | 'project'
  id: string
}

/** Writes an audit entry when staff read the content of a workspace in which they have no role. */
export const noteStaffReading = (context: StaffReading, action: string, target: ReadTarget): Promise<void> =>
  noteStaffReadings(context, [{ action, target }])

/** The same for a request that shows several records: one entry each, in one transaction. */
export async function noteStaffReadings(
  context: StaffReading,
  readings: { action: string; target: ReadTarget; details?: Record<string, unknown> }[],
): Promise<void> {
  const { db } = context
  if (readings.length === 0 || !isStaffOnly(context)) return
  const tenantIds = await tenantIdsOf(db, context.target)
  await inTransaction(db, async (tx) => {
    for (const reading of readings) await audit(tx, context, { ...tenantIds, ...reading })
  })
}

const WATCHING_MINUTES = 15

/** For what a page reads every few seconds: one entry in 15 minutes for each person, action and record. */
export async function noteStaffWatching(
  context: StaffReading,
  action: string,
  target: ReadTarget,
): Promise<void> {
  if (!isStaffOnly(context)) return
  const last = await context.db
    .selectFrom('audit_log')
    .select(sql<boolean>`at > now() - make_interval(mins => ${WATCHING_MINUTES})`.as('is_recent'))
    .where('target_id', '=', target.id)
    .where('actor_id', '=', context.principal.userId)
    .where('action', '=', action)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last?.is_recent) await noteStaffReading(context, action, target)
}

/** Staff who have a role in the workspace read as its members do. */
const isStaffOnly = ({ roles }: StaffReading): boolean =>
  roles?.staff === true && roles.workspaceRole === null
