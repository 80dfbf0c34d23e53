import { audit, type Context } from '../access/index.ts'
import { inTransaction } from '../kernel/database.ts'
import { placeOf } from './projects/place.ts'

type Reading = Pick<Context, 'principal' | 'requestId' | 'standing' | 'db'> & {
  target: { workspace_id: string }
}

/** Staff who read what was said leave a trace; who has a role in the workspace reads what is theirs. */
export async function noteStaffReading(
  context: Reading,
  action: string,
  target: { kind: 'conversation' | 'report' | 'project'; id: string },
): Promise<void> {
  const { standing, db } = context
  if (!standing?.staff || standing.workspaceRole !== null) return
  const place = await placeOf(db, context.target)
  await inTransaction(db, (tx) => audit(tx, context, { action, ...place, target }))
}
