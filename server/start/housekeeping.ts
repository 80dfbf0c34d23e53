import { sql } from 'kysely'
import type { Db } from '../kernel/database.ts'
import { deleteInBatches } from '../kernel/delete-in-batches.ts'
import { IDEMPOTENCY_HOURS } from '../kernel/idempotency.ts'
import { inTurn } from '../kernel/in-turn.ts'
import type { Logger } from '../kernel/log.ts'
import { turnLogDays } from '../webhooks/index.ts'

const EVERY_MS = 10 * 60_000

/** Removes what has expired. Any number of workers may do it at once: each row is deleted by one of them. */
export function startHousekeeping(db: Db, logDays: number, log: Logger): { stop(): Promise<void> } {
  const tidy = () =>
    removeExpired(db, logDays).catch((err: unknown) =>
      log.warn({ err, component: 'housekeeping' }, 'could not tidy up'),
    )
  let underWay = tidy()
  const timer = setInterval(() => {
    underWay = tidy()
  }, EVERY_MS)
  return {
    stop: () => {
      clearInterval(timer)
      return underWay
    },
  }
}

/** One that fails keeps no other from its turn: what holds it up may last for days. */
export async function removeExpired(db: Db, logDays: number): Promise<void> {
  const steps = [() => removeIdempotencyKeys(db), () => removeInvitations(db), () => turnLogDays(db, logDays)]
  await inTurn(steps, (step) => step())
}

const removeIdempotencyKeys = (db: Db): Promise<void> =>
  deleteInBatches(
    db,
    'idempotency_keys',
    sql`created_at < now() - make_interval(hours => ${IDEMPOTENCY_HOURS})`,
  )

const removeInvitations = (db: Db): Promise<void> =>
  deleteInBatches(db, 'invitations', sql`state = 'pending' and expires_at < now()`)
