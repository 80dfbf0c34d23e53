import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../access/index.ts'
import type { Db } from '../../kernel/database.ts'
import type { EventStream } from '../../kernel/event-stream.ts'
import type { WakeUps } from '../../kernel/wake-ups.ts'
import type { WebhookAccess } from '../access.ts'
import { createBell } from '../dispatch/bell.ts'
import { parseWakeUp } from '../wake.ts'
import { type Feed, positionOf, readFeed, toEvent, typesOf } from './list-events.ts'

export const streamQuery = z.strictObject({
  types: z
    .string()
    .max(500)
    .optional()
    .describe('Types of events, separated by commas; all of them when left out'),
})

/** An event may have to wait for somebody else's transaction, whose end wakes nobody. */
const LOOK_EVERY_MS = 1_000
const BATCH = 100

/** The feed, live. It begins with what happens from now on, or after the event that `Last-Event-ID` names. */
export async function streamEvents(
  { db, target, query }: Context<WebhookAccess, undefined, z.output<typeof streamQuery>>,
  lastEventId: string | undefined,
  wakeUps: WakeUps,
): Promise<(stream: EventStream) => Promise<void>> {
  const after = positionOf(lastEventId) ?? (await present(db))
  const feed = { projectId: target.id, types: typesOf(query.types), after }
  return (stream) => follow(db, feed, stream, wakeUps)
}

async function follow(db: Db, feed: Feed, stream: EventStream, wakeUps: WakeUps): Promise<void> {
  const bell = createBell()
  const unsubscribe = wakeUps.subscribe((payload) => {
    if (payload === null || parseWakeUp(payload).projectId === feed.projectId) bell.ring()
  })
  stream.signal.addEventListener('abort', bell.ring)
  try {
    while (!stream.signal.aborted) {
      if (!(await sendNext(db, feed, stream))) await bell.wait(LOOK_EVERY_MS)
    }
  } finally {
    unsubscribe()
  }
}

/** Just before whatever is not certain yet. */
async function present(db: Db): Promise<string> {
  const { rows } = await sql<{ xid: string }>`
    select (pg_snapshot_xmin(pg_current_snapshot())::text::numeric - 1)::text as xid`.execute(db)
  return `${rows[0]?.xid}:ffffffff-ffff-ffff-ffff-ffffffffffff`
}

async function sendNext(db: Db, feed: Feed, stream: EventStream): Promise<boolean> {
  const rows = await readFeed(db, feed, BATCH)
  for (const row of rows) {
    await stream.send({ id: row.position, type: row.type, data: JSON.stringify(toEvent(row)) })
    feed.after = row.position
  }
  return rows.length > 0
}
