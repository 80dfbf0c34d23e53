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
  const { roles, db } = context
  if (readings.length === 0 || !roles?.staff || roles.workspaceRole !== null) return
  const tenantIds = await tenantIdsOf(db, context.target)
  await inTransaction(db, async (tx) => {
    for (const reading of readings) await audit(tx, context, { ...tenantIds, ...reading })
  })
}
