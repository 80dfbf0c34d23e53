import { sql } from 'kysely'
import type { Db } from '../../database/database.ts'
import { deleteInBatches } from '../../database/delete-in-batches.ts'
import type { Logger } from '../../platform/log.ts'
import { runEach } from '../../platform/run-each.ts'
import { IDEMPOTENCY_HOURS } from '../api/idempotency.ts'
import { maintainPartitions } from '../webhooks/index.ts'
import { repeat } from './periodic-task.ts'

const EVERY_MS = 10 * 60_000

/** Removes what has expired. Any number of workers may do it at once: each row is deleted by one of them. */
export const startHousekeeping = (db: Db, logDays: number, log: Logger): { stop(): Promise<void> } =>
  repeat('housekeeping', EVERY_MS, () => removeExpired(db, logDays).then(() => false), log)

/** One that fails keeps no other from its turn: what holds it up may last for days. */
export async function removeExpired(db: Db, logDays: number): Promise<void> {
  const steps = [
    () => removeIdempotencyKeys(db),
    () => removeInvitations(db),
    () => maintainPartitions(db, logDays),
  ]
  await runEach(steps, (step) => step())
}

const removeIdempotencyKeys = (db: Db): Promise<void> =>
  deleteInBatches(
    db,
    'idempotency_keys',
    sql`created_at < now() - make_interval(hours => ${IDEMPOTENCY_HOURS})`,
  )

const removeInvitations = (db: Db): Promise<void> =>
  deleteInBatches(db, 'invitations', sql`state = 'pending' and expires_at < now()`)
