import { dueDeliveries } from '../rules/due-deliveries.ts'
import { IN_PENDING_IDS, pendingIds } from '../rules/lifetime.ts'
import { JOIN_TENANT, UNSENT_STATUS, type UnsentStatus } from '../rules/sendable.ts'
import { type Statements, statement } from './statement.ts'

/** The webhook of one endpoint queue as it is at this moment, and its deliveries that are to be sent. */
export interface ClaimedQueue {
  project_id: string
  url: string
  secret: string | null
  secret_version: number
  previous_secret: string | null
  /** Not `pending`: nothing can be sent, and the pending deliveries end with this status. */
  status: UnsentStatus
  /** The circuit breaker is open, and this is a trial request. */
  isTrial: boolean
  /** By the database's clock, in milliseconds since 1970. */
  now: number
  due: ClaimedDelivery[]
}

export interface ClaimedDelivery {
  id: string
  eventId: string
  eventType: string
  attempts: number
  ageMs: number
  /** Until it expires; not positive once it has. */
  leftMs: number
  /** JSON, as text: as bytes it would arrive in hexadecimal, twice as long. Null after an erasure. */
  body: string | null
}

/** How many deliveries a queue takes: requests that it can begin, and more that follow them. */
export interface Share {
  slots: number
  prefetch: number
}

/** Only the first row of a queue has its columns: repeating them took a third of the time to read a row. */
type Row = [webhookId: string, queue: Omit<ClaimedQueue, 'due'> | null, ...(DeliveryRow | [deliveryId: null])]

type DeliveryRow = [
  id: string,
  eventId: string,
  eventType: string,
  attempts: number,
  ageMs: number,
  leftMs: number,
  body: string | null,
]

/** A queue that the dispatcher owns. */
interface OwnedQueue {
  webhookId: string
  fence: number
  /** Deliveries that were claimed, or whose result is not recorded yet: they are still pending in the database. */
  inFlight: ReadonlySet<string>
  unrecorded: ReadonlySet<string>
  prefetched: readonly { id: string }[]
}

const CLAIM = statement<ReturnType<typeof parametersOf>, Row>(
  'claim_deliveries',
  `with want as materialized (
     select webhook_id, fence, slots, string_to_array(busy, ' ')::uuid[] as busy
     from unnest(:webhookIds::uuid[], :fences::bigint[], :slots::integer[], :busy::text[])
       as queue(webhook_id, fence, slots, busy)
   )
   select want.webhook_id,
     case when coalesce(d.number, 1) = 1 then json_build_object(
       'project_id', w.project_id, 'url', w.url, 'secret', w.secret, 'secret_version', w.secret_version,
       'previous_secret', case when w.previous_valid_until > now() then w.previous_secret end,
       'status', ${UNSENT_STATUS},
       'isTrial', q.trial_at is not null,
       'now', date_part('epoch', now()) * 1000
     ) end,
     d.id, d.event_id, d.event_type, d.attempts,
     (date_part('epoch', now() - d.created_at) * 1000)::integer,
     date_part('epoch', d.expires_at - now()) * 1000,
     (select convert_from(case d.payload when 'full' then e.full_body else e.ids_body end, 'UTF8')
       from events e where e.id = d.event_id)
   from want
   cross join lateral (
     select * from endpoint_queues q
     where q.webhook_id = want.webhook_id and q.fence = want.fence and q.owner = :dispatcherId limit 1
   ) q
   join webhooks w on w.id = want.webhook_id
   ${JOIN_TENANT}
   left join lateral (
     ${dueDeliveries({
       columns: 'd.*, row_number() over (order by d.due_at) as number',
       ids: `${IN_PENDING_IDS} and d.id <> all(want.busy)`,
       slots: 'want.slots',
       isIdle: 'cardinality(want.busy) = 0',
     })}
   ) d on true`,
  true,
)

/** URL, secret, tier and `enabled` come from the same snapshot as the deliveries. Queues of other dispatchers are left out. */
export async function claimDeliveries(
  statements: Statements,
  ...of: Parameters<typeof parametersOf>
): Promise<Map<string, ClaimedQueue>> {
  const rows = await statements.run(CLAIM, parametersOf(...of))
  const claimed = new Map<string, ClaimedQueue>()
  for (const [webhookId, queue, ...delivery] of rows) {
    if (queue !== null) claimed.set(webhookId, { ...queue, due: [] })
    if (delivery[0] !== null) claimed.get(webhookId)?.due.push(toDelivery(delivery))
  }
  return claimed
}

/** Columns instead of JSON, which PostgreSQL took a tenth of the claim's time to read. */
function parametersOf(dispatcherId: string, shares: ReadonlyMap<OwnedQueue, Share>, tiers: string[]) {
  const queues = [...shares.keys()]
  return {
    webhookIds: queues.map(({ webhookId }) => webhookId),
    fences: queues.map(({ fence }) => fence),
    slots: [...shares.values()].map(({ slots, prefetch }) => slots + prefetch),
    busy: queues.map(({ inFlight, unrecorded, prefetched }) =>
      [...inFlight, ...unrecorded, ...prefetched.map(({ id }) => id)].join(' '),
    ),
    dispatcherId,
    tiers,
    ...pendingIds(),
  }
}

const toDelivery = (row: DeliveryRow): ClaimedDelivery => ({
  id: row[0],
  eventId: row[1],
  eventType: row[2],
  attempts: row[3],
  ageMs: row[4],
  leftMs: row[5],
  body: row[6],
})
