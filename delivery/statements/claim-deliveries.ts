import type { Lane } from '../dispatch/endpoint-queue.ts'
import { livingIds, type Statements } from './statement.ts'

/** One lane as it is at this moment, and what of it is to be sent. */
export interface ClaimedLane {
  project_id: string
  url: string
  secret: string | null
  secret_version: number
  previous_secret: string | null
  /** `missed` or `cancelled`: nothing may be sent, and this becomes of what is pending. */
  state: 'open' | 'missed' | 'cancelled'
  /** The breaker is open, and this attempt finds out whether it can close. */
  probing: boolean
  /** By the database's clock, in milliseconds since 1970. */
  now: number
  due: ClaimedDelivery[]
}

export interface ClaimedDelivery {
  delivery_id: string
  event_id: string
  event_type: string
  attempts: number
  age_ms: number
  /** Until it expires; not positive once it has. */
  left_ms: number
  /** JSON, as text: as bytes it would come in hexadecimal, twice as long. Null after an erasure. */
  body: string | null
}

/** The lane stands in its first row alone: repeating its columns took a third of the time to read a row. */
type Row = [webhookId: string, lane: Omit<ClaimedLane, 'due'> | null, ...(DeliveryRow | [deliveryId: null])]

type DeliveryRow = [
  deliveryId: string,
  eventId: string,
  eventType: string,
  attempts: number,
  ageMs: number,
  leftMs: number,
  body: string | null,
]

/**
 * What to send now. The address, the secret, the tier and whether the webhook is enabled are read here, by the same
 * snapshot as the deliveries and for the attempts that start at once: no copy is kept of them. A lane that another
 * dispatcher took over is not among the answers.
 */
export async function claimDeliveries(
  on: Statements,
  dispatcherId: string,
  shares: ReadonlyMap<Lane, number>,
  tiers: string[],
): Promise<Map<string, ClaimedLane>> {
  const rows = await on.runForRows<Row>(
    'claim_deliveries',
    `with want as materialized (
       select webhook_id, fence, slots, string_to_array(busy, ' ')::uuid[] as busy
       from unnest($1::uuid[], $2::bigint[], $3::integer[], $4::text[]) as lane(webhook_id, fence, slots, busy)
     )
     select want.webhook_id,
       case when coalesce(d.place, 1) = 1 then json_build_object(
         'project_id', w.project_id, 'url', w.url, 'secret', w.secret, 'secret_version', w.secret_version,
         'previous_secret', case when w.previous_valid_until > now() then w.previous_secret end,
         'state', case
           when w.deleted_at is not null or p.deleted_at is not null or s.deleted_at is not null then 'cancelled'
           when not w.enabled or s.tier <> all($6) then 'missed'
           else 'open'
         end,
         'probing', l.trial_at is not null,
         'now', date_part('epoch', now()) * 1000
       ) end,
       d.id, d.event_id, d.event_type, d.attempts,
       (date_part('epoch', now() - d.created_at) * 1000)::integer,
       date_part('epoch', d.expires_at - now()) * 1000,
       (select convert_from(case d.payload when 'full' then e.full_body else e.ids_body end, 'UTF8')
         from events e where e.id = d.event_id)
     from want
     cross join lateral (
       select * from endpoint_queues l where l.webhook_id = want.webhook_id and l.fence = want.fence and l.owner = $5 limit 1
     ) l
     join webhooks w on w.id = want.webhook_id
     join projects p on p.id = w.project_id
     join workspaces s on s.id = p.workspace_id
     left join lateral (
       select d.*, row_number() over (order by d.due_at) as place from deliveries d
       where d.webhook_id = want.webhook_id and d.status = 'pending' and d.due_at <= now()
         and d.id >= $7 and d.id < $8
         and d.id <> all(want.busy)
         and (w.disabled_at is null or d.created_at > w.disabled_at)
       order by d.due_at
       limit case
         when l.trial_at is null then want.slots
         when l.trial_at <= now() and cardinality(want.busy) = 0 then 1
         else 0
       end
     ) d on true`,
    [...columnsOf(shares), dispatcherId, tiers, ...livingIds()],
  )
  return byLane(rows)
}

function byLane(rows: Row[]): Map<string, ClaimedLane> {
  const lanes = new Map<string, ClaimedLane>()
  for (const [webhookId, lane, ...delivery] of rows) {
    if (lane !== null) lanes.set(webhookId, { ...lane, due: [] })
    if (delivery[0] !== null) lanes.get(webhookId)?.due.push(deliveryOf(delivery))
  }
  return lanes
}

const deliveryOf = (row: DeliveryRow): ClaimedDelivery => ({
  delivery_id: row[0],
  event_id: row[1],
  event_type: row[2],
  attempts: row[3],
  age_ms: row[4],
  left_ms: row[5],
  body: row[6],
})

/**
 * What of a lane is under way, or not recorded yet, is pending in the database all the same: it is named, to be left out.
 * Columns instead of JSON, which PostgreSQL took a tenth of the claim's time to read.
 */
function columnsOf(shares: ReadonlyMap<Lane, number>): unknown[][] {
  const lanes = [...shares.keys()]
  return [
    lanes.map(({ webhookId }) => webhookId),
    lanes.map(({ fence }) => fence),
    [...shares.values()],
    lanes.map(({ underWay, unrecorded }) => [...underWay, ...unrecorded].join(' ')),
  ]
}

/** For a claimed delivery that can't be sent: its time is over, or its payload was erased. */
export async function endDelivery(
  on: Statements,
  webhookId: string,
  { delivery_id, left_ms }: ClaimedDelivery,
): Promise<void> {
  await on.run(
    'end_delivery',
    `update deliveries set status = $3, finished_at = now()
     where webhook_id = $1 and id = $2 and status = 'pending'`,
    [webhookId, delivery_id, left_ms > 0 ? 'cancelled' : 'failed'],
  )
}
