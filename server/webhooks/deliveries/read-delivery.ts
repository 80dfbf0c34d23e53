import { hash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Context } from '../../access/index.ts'
import { type Answer, found } from '../../kernel/answer.ts'
import type { Db } from '../../kernel/database.ts'
import { isUuid } from '../../kernel/ids.ts'
import { Problem } from '../../kernel/problems.ts'
import type { Tables } from '../../kernel/tables.ts'
import { findWebhook, type WebhookAccess, type WebhookRow } from '../access.ts'
import { plainHeaders, toRecord } from '../dispatch/attempt.ts'
import { selectDeliveries } from './list-deliveries.ts'
import type { Delivery } from './schema.ts'

export interface FoundDelivery {
  webhook: WebhookRow
  delivery: Delivery
}

/** The delivery that the path names, of the webhook that it names. */
export async function findDelivery(context: Context<WebhookAccess>): Promise<FoundDelivery> {
  const webhook = await findWebhook(context)
  const { did } = context.params
  const [delivery] = isUuid(did) ? await selectDeliveries(context.db, webhook.id, sql`d.id = ${did}`, 1) : []
  if (!delivery) throw new Problem('not_found')
  return { webhook, delivery }
}

/** A delivery with all that is known of it: what was sent, when, to which address, and what came back. */
export async function readDelivery(db: Db, { delivery }: FoundDelivery, userAgent: string): Promise<Answer> {
  const attempts = await db
    .selectFrom('attempts')
    .selectAll()
    .where('delivery_id', '=', delivery.id)
    .orderBy('number')
    .execute()
  const headersAt = (number: number, at: string) =>
    toRecord(
      plainHeaders(
        { deliveryId: delivery.id, number, at: Date.parse(at) },
        { eventId: delivery.event_id, eventType: delivery.event },
        userAgent,
      ),
    )
  const last = attempts.at(-1)
  const body = await bodyOf(db, delivery)
  // Every attempt sends the bytes that the event was stored with.
  const body_hash = body && hash('sha256', body, 'hex')
  return found({
    ...delivery,
    request_headers: headersAt(
      last?.number ?? 1,
      last?.at ?? delivery.next_attempt_at ?? delivery.created_at,
    ),
    payload: body?.toString() ?? null,
    attempt_log: attempts.map((row) => ({
      ...toAttempt(row),
      body_hash,
      request_headers: headersAt(row.number, row.at),
    })),
  })
}

async function bodyOf(db: Db, { event_id, payload_kind }: Delivery): Promise<Buffer | null> {
  const row = await db
    .selectFrom('events')
    .select(['full_body', 'ids_body'])
    .where('id', '=', event_id)
    .executeTakeFirst()
  return (payload_kind === 'full' ? row?.full_body : row?.ids_body) ?? null
}

const HIDDEN = { duration_ms: null, timings: null, address: null, answer_headers: null, answer_body: null }

/** Of a target inside the operator's own network only the status and the coarse error are shown: it is not ours to map. */
function toAttempt({ number, at, status, error, duration_ms, details }: Selectable<Tables['attempts']>) {
  const { opened, secret_version, ...rest } = details
  const shared = { number, at, status, error, secret_version }
  if (opened) return { ...shared, ...HIDDEN }
  const { address, answer_headers = null, answer_body = null } = rest
  const { dns_ms = null, connect_ms = null, tls_ms = null, first_byte_ms = null } = rest
  const timings = { dns_ms, connect_ms, tls_ms, first_byte_ms }
  return { ...shared, duration_ms, timings, address, answer_headers, answer_body }
}
