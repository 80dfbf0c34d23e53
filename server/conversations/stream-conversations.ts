import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../database/database.ts'
import type { Notifications } from '../../database/notifications.ts'
import type { Logger } from '../../platform/log.ts'
import type { EventStream } from '../api/event-stream.ts'
import {
  FEED_START,
  type FeedPage,
  partsOf,
  positionOf,
  presentPosition,
  readFeedPage,
  readHorizon,
  sinceQuery,
} from '../api/feed/feed.ts'
import { createFeedHub, type FeedHub, type FeedHubParts, type FeedSelection } from '../api/feed/feed-hub.ts'
import type { Context } from '../api/route-spec.ts'
import type { ProjectTarget } from '../auth/index.ts'
import { noteStaffWatching } from '../tenancy/index.ts'
import { listenToProjects } from '../webhooks/index.ts'
import { type ConversationRow, payloadOf } from './payload.ts'
import { mergePages, readSegmentFeed } from './segments/segment-feed.ts'

export const streamQuery = z.strictObject({
  since: sinceQuery,
  include: z
    .literal('segments')
    .optional()
    .describe(
      '`segments`: also send each new, corrected or removed segment, as events of the type `segment`',
    ),
})

/** All conversation streams of this process share these hubs. */
export interface ConversationHubs {
  states: FeedHub
  withSegments: FeedHub
}

export function createConversationHubs(db: Db, notifications: Notifications, log: Logger): ConversationHubs {
  const hubOf = (name: string, read: FeedHubParts['read']) =>
    createFeedHub({
      name,
      log,
      listen: (onChange) => listenToProjects(notifications, onChange),
      readHorizon: () => readHorizon(db),
      read,
    })
  const readStates: FeedHubParts['read'] = async (selection, limit) => {
    const page = await readChanged(db, selection, limit)
    const items = page.items.map((row) => ({
      position: row.position,
      type: 'conversation',
      at: row.last_changed_at,
      data: JSON.stringify(stateOf(row)),
    }))
    return { ...page, items }
  }
  return {
    states: hubOf('conversations', readStates),
    withSegments: hubOf('segments', async (selection, limit) =>
      mergePages(await readStates(selection, limit), await readSegmentFeed(db, selection, limit)),
    ),
  }
}

interface StreamRequest {
  since?: string | null | undefined
  include?: 'segments' | undefined
  lastEventId: string | undefined
}

/**
 * Sends the state of each conversation that changes, from now, `since`, or the event that the client saw last. Text is sent only
 * with `include`.
 */
export async function streamConversations(
  context: Context<ProjectTarget>,
  { since = null, include, lastEventId }: StreamRequest,
  hubs: ConversationHubs,
): Promise<(stream: EventStream) => Promise<void>> {
  const { db, target } = context
  await noteStaffWatching(context, 'conversation.stream', { kind: 'project', id: target.id })
  const after = positionOf(lastEventId) ?? (since === null ? await presentPosition(db) : FEED_START)
  const hub = include === 'segments' ? hubs.withSegments : hubs.states
  return (stream) => hub.follow(stream, { projectId: target.id, after, types: null, since })
}

type Row = ConversationRow & { position: string; last_changed_at: string }

async function readChanged(
  db: Db,
  { projectId, after, since }: FeedSelection,
  limit: number,
): Promise<FeedPage<Row>> {
  const [xid, id] = partsOf(after)
  // Rows older than the column have no time of change; their latest other time is used instead.
  const changedAt = sql`coalesce(changed_at, greatest(started_at, finished_at, deleted_at))`
  return readFeedPage(
    db,
    limit,
    sql<Row>`
      select *, ${changedAt} as last_changed_at, changed as feed_xid, changed::text || ':' || id as position
      from conversations
      where project_id = ${projectId} and changed < snapshot.xmin
        and (changed, id) > (${xid}::text::xid8, ${id}::uuid)
        and ${changedAt} >= ${since ?? '-infinity'}::timestamptz
      order by changed, id
      limit ${limit}`,
  )
}

/** A deleted conversation shows only that it was deleted. */
function stateOf(row: Row): object {
  const { id, position, failure } = row
  if (row.deleted_at !== null) return { id, position, deleted: true }
  const { tags: _, ...fields } = payloadOf(row)
  return { ...fields, position, failure, deleted: false }
}
