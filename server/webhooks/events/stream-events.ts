import { z } from 'zod'
import type { Context } from '../../access/index.ts'
import type { EventStream } from '../../kernel/event-stream.ts'
import { followFeed, type Position, positionOf, presentPosition } from '../../kernel/feed.ts'
import type { WakeUps } from '../../kernel/wake-ups.ts'
import { noteStaffReading } from '../../tenancy/index.ts'
import type { WebhookAccess } from '../access.ts'
import { listenTo } from '../wake.ts'
import { readFeed, toEvent, typesOf } from './list-events.ts'

export const streamQuery = z.strictObject({
  types: z
    .string()
    .max(500)
    .optional()
    .describe('Types of events, separated by commas; all of them when left out'),
})

const BATCH = 100

/** The feed, live. It begins with what happens from now on, or after the event that `Last-Event-ID` names. */
export async function streamEvents(
  context: Context<WebhookAccess, undefined, z.output<typeof streamQuery>>,
  lastEventId: string | undefined,
  wakeUps: WakeUps,
): Promise<(stream: EventStream) => Promise<void>> {
  const { db, target, query } = context
  await noteStaffReading(context, 'event.stream', { kind: 'project', id: target.id })
  const from = positionOf(lastEventId) ?? (await presentPosition(db))
  const types = typesOf(query.types)
  const readAfter = async (after: Position) => {
    const rows = await readFeed(db, { projectId: target.id, types, after }, BATCH)
    return rows.map((row) => ({
      position: row.position,
      type: row.type,
      data: JSON.stringify(toEvent(row)),
    }))
  }
  return (stream) => followFeed(stream, from, readAfter, (ring) => listenTo(wakeUps, target.id, ring))
}
