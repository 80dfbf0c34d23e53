import { sql } from 'kysely'
import type { Tx } from '../../../database/database.ts'
import { tiersWithWebhooks } from '../tier.ts'
import { WAKE_CHANNEL } from '../../../delivery/notifications.ts'
import { type NewTelling, newTelling } from './new-envelope.ts'
import { type Occurrence, serialise, subjectOf } from './serialise.ts'

/** Tells the project's webhooks what happened, in the transaction that made it happen. Answers with the event's id. */
export type Emit = (tx: Tx, occurrence: Occurrence) => Promise<string>

export interface EmitterOptions {
  /** For links in payloads. */
  publicUrl: string
  tierGates: boolean
}

/** What is not delivered by then ends as failed. */
export const DELIVERY_HOURS = 76

export function createEmitter({ publicUrl, tierGates }: EmitterOptions): Emit {
  const tiers = tiersWithWebhooks(tierGates)
  return async (tx, occurrence) => {
    const telling = await newTelling(tx, occurrence.projectId)
    // Nobody is left to be told, and nothing may be kept.
    if (telling.deleted) return telling.id
    const bodies = serialise(occurrence, { ...telling, publicUrl })
    const event = { ...telling, ...bodies, occurrence, tiers }
    return (await write(tx, event)) ?? (await idOf(tx, keyOf(occurrence)))
  }
}

/** The same change of state never makes two events: its key is what changed, and to what. */
function keyOf(occurrence: Occurrence): string {
  if (occurrence.type === 'report.generated') return `${occurrence.type}:${occurrence.report.id}`
  if (occurrence.type === 'conversation.erased') return `${occurrence.type}:${occurrence.conversationId}`
  const { id, revision } = occurrence.conversation
  return occurrence.type === 'conversation.started'
    ? `${occurrence.type}:${id}`
    : `${occurrence.type}:${id}:${revision}`
}

interface NewEvent extends NewTelling {
  full: Buffer
  ids: Buffer
  occurrence: Occurrence
  tiers: string[]
}

/**
 * The event and one delivery for each webhook that subscribed to it, in one statement. Who is disabled or below the tier
 * gets a `missed` one, so that it can be replayed. Null: the event was there already.
 */
async function write(tx: Tx, event: NewEvent): Promise<string | null> {
  const { occurrence } = event
  const { rows } = await sql<{ event_id: string }>`
    with fresh as (
      insert into event_keys (key, event_id) values (${keyOf(occurrence)}, ${event.id})
      on conflict (key) do nothing
      returning event_id
    ), event as (
      insert into events (id, project_id, type, subject_id, occurred_at, full_body, ids_body)
      select event_id, ${occurrence.projectId}, ${occurrence.type}, ${subjectOf(occurrence)}, ${event.timestamp},
        ${event.full}, ${event.ids}
      from fresh
      returning id, project_id, type, occurred_at
    ), delivery as (
      insert into deliveries
        (id, webhook_id, event_id, event_type, event_at, kind, payload, status, created_at, due_at, expires_at, finished_at)
      select uuid_v7(), w.id, e.id, e.type, e.occurred_at, 'event', w.payload,
        case when reachable then 'pending' else 'missed' end, e.occurred_at, e.occurred_at,
        e.occurred_at + make_interval(hours => ${DELIVERY_HOURS}), case when reachable then null else e.occurred_at end
      from event e
      join webhooks w on w.project_id = e.project_id and w.deleted_at is null and e.type = any(w.events)
      join projects p on p.id = e.project_id
      join workspaces s on s.id = p.workspace_id
      cross join lateral (
        select w.enabled and s.tier = any(${event.tiers}) as reachable
      ) as state
      returning webhook_id, status
    )
    select event_id, pg_notify(${WAKE_CHANNEL}, ${occurrence.projectId} || ' ' || coalesce(
      (select string_agg(webhook_id::text, ',') from delivery where status = 'pending'), ''))
    from fresh`.execute(tx)
  return rows[0]?.event_id ?? null
}

async function idOf(tx: Tx, key: string): Promise<string> {
  const row = await tx
    .selectFrom('event_keys')
    .select('event_id')
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  return row.event_id
}
