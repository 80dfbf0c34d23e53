import { z } from 'zod'
import type { Db } from '../../../database/database.ts'
import type { Notifications } from '../../../database/notifications.ts'
import { listenToProjects } from '../../../delivery/index.ts'
import type { Logger } from '../../../platform/log.ts'
import type { EventStream } from '../../api/event-stream.ts'
import { FEED_START, positionOf, presentPosition, readHorizon, sinceQuery } from '../../api/feed/feed.ts'
import { createFeedHub, type FeedHub } from '../../api/feed/feed-hub.ts'
import type { FeedItem } from '../../api/feed/feed-window.ts'
import type { Context } from '../../api/route-spec.ts'
import type { ProjectTarget } from '../../auth/index.ts'
import { noteStaffReading } from '../../tenancy/index.ts'
import { readFeed, toEvent, typesOf, typesQuery } from './list-events.ts'
import { noteTranscriptsRead } from './note-payload-reading.ts'

export const streamQuery = z.strictObject({ types: typesQuery, since: sinceQuery })

/** One hub serves all event streams of this process. */
export const createEventHub = (db: Db, notifications: Notifications, log: Logger): FeedHub =>
  createFeedHub({
    name: 'events',
    log,
    listen: (listener) => listenToProjects(notifications, listener),
    readHorizon: () => readHorizon(db),
    read: async (selection, limit) => {
      const page = await readFeed(db, selection, limit)
      const items = page.items.map((row) => ({
        position: row.position,
        type: row.type,
        at: row.occurred_at,
        data: JSON.stringify(toEvent(row)),
      }))
      return { ...page, items }
    },
  })

/** Starts with new events, with the first event since a time, or after the event in `Last-Event-ID`. */
export async function streamEvents(
  context: Context<ProjectTarget>,
  query: z.output<typeof streamQuery> & { lastEventId: string | undefined },
  hub: FeedHub,
): Promise<(stream: EventStream) => Promise<void>> {
  const { db, target } = context
  await noteStaffReading(context, 'event.stream', { kind: 'project', id: target.id })
  const types = typesOf(query.types)
  const since = query.since ?? null
  const after = positionOf(query.lastEventId) ?? (since === null ? await presentPosition(db) : FEED_START)
  const beforeSend = async (items: FeedItem[]) => {
    // Only reads by staff are audited, so other streams are not parsed.
    if (context.roles?.staff)
      await noteTranscriptsRead(
        context,
        items.map(({ data }) => JSON.parse(data) as unknown),
      )
  }
  return (stream) => hub.follow(stream, { projectId: target.id, after, types, since }, beforeSend)
}
