import { sql } from 'kysely'
import type { Db } from '../kernel/database.ts'
import { IDEMPOTENCY_HOURS } from '../kernel/idempotency.ts'
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

export async function removeExpired(db: Db, logDays: number): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', sql<string>`now() - make_interval(hours => ${IDEMPOTENCY_HOURS})`)
    .execute()
  await db
    .deleteFrom('invitations')
    .where('state', '=', 'pending')
    .where('expires_at', '<', sql<string>`now()`)
    .execute()
  await turnLogDays(db, logDays)
}
