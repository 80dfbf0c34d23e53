import type { Db, Tx } from '../../database/database.ts'
import { FIRST_EXPIRED_ID, FIRST_PENDING_ID, LIFETIME_HOURS, OLDEST_PENDING_AT } from '../rules/lifetime.ts'
import { JOIN_TENANT, NOT_INTERRUPTED, UNSENT_STATUS, type UnsentStatus } from '../rules/sendable.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import { execute, type Statements, statement } from './statement.ts'

/** Rows changed by one statement: more would hold locks for seconds, and a periodic task does the rest. */
const BATCH_SIZE = 5_000

/** `selection` returns `webhook_id`, `id` and the status that ends the delivery. */
const end = <P extends object>(name: string, selection: string) =>
  statement<P>(
    name,
    `update deliveries d set status = ended.status, finished_at = now()
     from (${selection}) as ended
     where d.webhook_id = ended.webhook_id and d.id = ended.id and d.status = 'pending'`,
  )

const END_OF_WEBHOOK = end<{ webhookId: string; status: EndStatus }>(
  'end_deliveries_of_webhook',
  `select webhook_id, id, :status::text as status from deliveries
   where webhook_id = :webhookId and status = 'pending' and id >= ${FIRST_PENDING_ID}
   limit ${BATCH_SIZE} for update skip locked`,
)

type EndStatus = Exclude<UnsentStatus, 'pending'>

/** Ends the pending deliveries of one webhook, up to a batch, and returns how many. */
export const endDeliveries = async (db: Db | Tx, webhookId: string, status: EndStatus): Promise<number> =>
  (await execute(db, END_OF_WEBHOOK, { webhookId, status })).count

const END_UNSENDABLE = end<{ tiers: string[] }>(
  'end_unsendable_deliveries',
  `select d.webhook_id, d.id, w.status
   from (select w.id, ${UNSENT_STATUS} as status from webhooks w ${JOIN_TENANT}) w
   cross join lateral (
     select webhook_id, id from deliveries
     where webhook_id = w.id and status = 'pending' and id >= ${FIRST_PENDING_ID}
     limit ${BATCH_SIZE}
   ) d
   where w.status <> 'pending'
   limit ${BATCH_SIZE}`,
)

const END_INTERRUPTED = end<object>(
  'end_interrupted_deliveries',
  `select d.webhook_id, d.id, 'missed' as status
   from webhooks w
   join deliveries d on d.webhook_id = w.id and d.status = 'pending' and not ${NOT_INTERRUPTED}
     and d.id >= ${FIRST_PENDING_ID}
   where w.disabled_at > ${OLDEST_PENDING_AT}
   limit ${BATCH_SIZE}`,
)

/** Older ids than usual too: a delivery that expired while all workers were stopped still has to end. */
const END_EXPIRED = end<object>(
  'end_expired_deliveries',
  `select d.webhook_id, d.id, 'failed' as status
   from deliveries d
   where d.status = 'pending' and d.expires_at <= now()
     and d.id < uuid_floor(now() - interval '${LIFETIME_HOURS - 1} hours')
     and d.id >= ${FIRST_EXPIRED_ID}
   limit ${BATCH_SIZE}`,
)

/** Shows the status of deliveries that dispatchers never send, or that expired. Returns how many, up to a batch of each kind. */
export async function endUnsendableDeliveries(db: Db, tiers: string[]): Promise<number> {
  let ended = 0
  for (const each of [END_UNSENDABLE, END_INTERRUPTED, END_EXPIRED])
    ended += (await execute(db, each, { tiers })).count
  return ended
}

const END_OF_REPLAY = statement<{ replayId: string }, { id: string; event_id: string }>(
  'end_deliveries_of_replay',
  `update deliveries set status = 'cancelled', finished_at = now()
   where replay_id = :replayId and status = 'pending'
   returning id, event_id`,
)

/** Cancels the pending deliveries of a replay, and returns them. */
export const endDeliveriesOfReplay = async (tx: Tx, replayId: string) =>
  (await execute(tx, END_OF_REPLAY, { replayId })).rows

const END_OF_EVENT = statement<{ eventId: string; projectId: string; firstId: string }, { id: string }>(
  'end_deliveries_of_event',
  `update deliveries d set
     status = case d.status when 'pending' then 'cancelled' else d.status end,
     finished_at = coalesce(d.finished_at, now())
   from webhooks w
   where w.project_id = :projectId and d.webhook_id = w.id and d.id >= :firstId and d.event_id = :eventId
   returning d.id`,
)

/** Cancels the pending deliveries of an event whose payload is erased. Returns the ids of all of its deliveries. */
export const endDeliveriesOfEvent = async (
  tx: Tx,
  event: { eventId: string; projectId: string; firstId: string },
): Promise<string[]> => (await execute(tx, END_OF_EVENT, event)).rows.map(({ id }) => id)

const END_ONE = statement<{ webhookId: string; id: string; status: string }>(
  'end_delivery',
  `update deliveries set status = :status, finished_at = now()
   where webhook_id = :webhookId and id = :id and status = 'pending'`,
)

/** Ends a claimed delivery that can't be sent: it has expired, or its payload was erased. */
export async function endDelivery(
  statements: Statements,
  webhookId: string,
  { id, leftMs }: ClaimedDelivery,
): Promise<void> {
  await statements.run(END_ONE, { webhookId, id, status: leftMs > 0 ? 'cancelled' : 'failed' })
}
