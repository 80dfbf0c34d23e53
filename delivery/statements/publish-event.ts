import type { Tx } from '../../database/database.ts'
import { asPrepared } from '../../database/prepared-statements.ts'
import { WAKE_CHANNEL } from '../notifications.ts'
import { JOIN_TENANT, UNSENT_STATUS } from '../rules/sendable.ts'
import { insertDeliveries } from './insert-deliveries.ts'
import { execute, statement } from './statement.ts'

export interface NewEvent {
  eventId: string
  projectId: string
  type: string
  /** The conversation or report that it is about. */
  subjectId: string
  occurredAt: string
  fullBody: Buffer
  idsBody: Buffer
}

/** `from` selects one row, or none where the event must not be inserted. */
export const insertEvent = (from = ''): string => `
  insert into events (id, project_id, type, subject_id, occurred_at, full_body, ids_body)
  select :eventId::uuid, :projectId::uuid, :type::text, :subjectId::uuid, :occurredAt::timestamptz, :fullBody::bytea,
    :idsBody::bytea
  ${from}
  returning id, project_id, type, occurred_at`

const PUBLISH = statement<NewEvent & { key: string; tiers: string[] }, { event_id: string }>(
  'publish_event',
  // Planning it takes three times as long as running it.
  asPrepared(`with fresh as (
     insert into event_keys (key, event_id) values (:key, :eventId::uuid)
     on conflict (key) do nothing
     returning event_id
   ), event as (${insertEvent('from fresh')}), delivery as (
     ${insertDeliveries(`
       select uuid_v7() as id, w.id as webhook_id, e.id as event_id, e.type as event_type, e.occurred_at as event_at,
         'event' as kind, w.payload, ${UNSENT_STATUS} as status, e.occurred_at as created_at
       from event e
       join webhooks w on w.project_id = e.project_id and w.deleted_at is null and e.type = any(w.events)
       ${JOIN_TENANT}`)}
     returning webhook_id, status
   )
   select event_id, pg_notify('${WAKE_CHANNEL}', :projectId::text || ' ' || coalesce(
     (select string_agg(webhook_id::text, ',') from delivery where status = 'pending'), ''))
   from fresh`),
)

/** Inserts the event and a delivery for each webhook that subscribes to it. Returns the id of the event with this `key`. */
export async function publishEvent(
  tx: Tx,
  event: NewEvent,
  { key, tiers }: { key: string; tiers: string[] },
): Promise<string> {
  const { rows } = await execute(tx, PUBLISH, { ...event, key, tiers })
  const published =
    rows[0] ??
    (await tx.selectFrom('event_keys').select('event_id').where('key', '=', key).executeTakeFirstOrThrow())
  return published.event_id
}
