import { type RawBuilder, sql } from 'kysely'

/**
 * All deliveries of some events (`id`, `occurred_at`). An index by event would cost every delivery two more writes. A delivery of
 * kind `event` is inserted in the transaction of its event, whose statements take at most 25 seconds, so its id has about the same
 * time; tests, resends and replays are later, and have an index.
 */
export const deliveriesOfEvents = (
  events: RawBuilder<unknown>,
  webhookIds: string[],
): RawBuilder<unknown> => sql`
  select d.* from (${events}) e
  cross join lateral (
    select d.* from unnest(${webhookIds}::uuid[]) as w(id)
    join deliveries d on d.webhook_id = w.id
      and d.id >= uuid_floor(e.occurred_at - interval '10 seconds')
      and d.id < uuid_floor(e.occurred_at + interval '1 minute')
    where d.event_id = e.id and d.kind = 'event'
    union all
    select d.* from deliveries d
    where d.event_id = e.id and d.kind <> 'event' and d.webhook_id = any(${webhookIds})
  ) d`
