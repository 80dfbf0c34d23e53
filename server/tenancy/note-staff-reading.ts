import { inTransaction } from '../../database/database.ts'
import { audit, type Context } from '../auth/index.ts'
import { placeOf } from './projects/place.ts'

export type StaffReading = Pick<Context, 'principal' | 'requestId' | 'standing' | 'db'> & {
  target: { workspace_id: string }
}

export interface ReadTarget {
  kind: 'conversation' | 'report' | 'project'
  id: string
}

/** Staff who read what was said leave a trace; who has a role in the workspace reads what is theirs. */
export const noteStaffReading = (context: StaffReading, action: string, target: ReadTarget): Promise<void> =>
  noteStaffReadings(context, [{ action, target }])

/** The same for a reading that shows several things: one row for each, in one transaction. */
export async function noteStaffReadings(
  context: StaffReading,
  readings: { action: string; target: ReadTarget; details?: Record<string, unknown> }[],
): Promise<void> {
  const { standing, db } = context
  if (readings.length === 0 || !standing?.staff || standing.workspaceRole !== null) return
  const place = await placeOf(db, context.target)
  await inTransaction(db, async (tx) => {
    for (const reading of readings) await audit(tx, context, { ...place, ...reading })
  })
}
