import { hash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../../database/database.ts'
import type { AttemptDetails, Tables } from '../../../database/tables.ts'
import { deliveryLog } from '../../../delivery/index.ts'
import { isUuid } from '../../../platform/ids.ts'
import { Problem } from '../../api/problems.ts'
import type { Context } from '../../api/route-spec.ts'
import type { ProjectTarget } from '../../auth/index.ts'
import { noteDeliveryReading } from '../events/note-payload-reading.ts'
import { selectDeliveries } from './list-deliveries.ts'
import type { Delivery, DeliveryDetail, DeliveryError } from './schema.ts'

/** A delivery of the webhook. */
export async function findDelivery(db: Db, webhookId: string, id: string | undefined): Promise<Delivery> {
  const [delivery] = isUuid(id) ? await selectDeliveries(db, [webhookId], sql`d.id = ${id}`, 1) : []
  if (!delivery) throw new Problem('not_found')
  return delivery
}

/** A delivery with its payload and, for each attempt, the request, the address and the response. */
export async function readDelivery(
  context: Context<ProjectTarget>,
  delivery: Delivery,
  userAgent: string,
): Promise<z.output<typeof DeliveryDetail>> {
  const { db } = context
  const body = await bodyOf(db, delivery)
  await noteDeliveryReading(context, delivery.id, body)
  const attempts = await db
    .selectFrom('attempts')
    .selectAll()
    .where('delivery_id', '=', delivery.id)
    .orderBy('number')
    .execute()
  const headersAt = (number: number, at: string, sent: AttemptDetails['sent']) => {
    const attempt = { deliveryId: delivery.id, number, at: Date.parse(at) }
    const event = { eventId: delivery.event_id, eventType: delivery.event }
    return deliveryLog.headersOf(attempt, event, { sent, body, userAgent })
  }
  const attempt_log = attempts.map((row) => ({
    ...toAttempt(row),
    // Every attempt sends the stored bytes of the event.
    body_hash: body && hash('sha256', body, 'hex'),
    request_headers: shownHeaders(row, headersAt(row.number, row.at, row.details.sent)),
  }))
  const firstAt = delivery.next_attempt_at ?? delivery.created_at
  return {
    ...delivery,
    request_headers: attempt_log.at(-1)?.request_headers ?? headersAt(1, firstAt, undefined),
    payload: body?.toString() ?? null,
    attempt_log,
  }
}

/** The host of a target in the operator's own network is hidden, as is its address. */
function shownHeaders(
  { details }: Selectable<Tables['attempts']>,
  { host, ...others }: Record<string, string>,
): Record<string, string> {
  return details.opened || host === undefined ? others : { host, ...others }
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

/** For a target in the operator's own network only the status and the coarse error are shown, so that users cannot map that network. */
function toAttempt({ number, at, status, error, duration_ms, details }: Selectable<Tables['attempts']>) {
  const { opened, secret_version, ...rest } = details
  const shared = { number, at, status, error: error as DeliveryError | null, secret_version }
  if (opened) return { ...shared, ...HIDDEN }
  const { address, answer_headers = null, answer_body = null } = rest
  const { dns_ms = null, connect_ms = null, tls_ms = null, first_byte_ms = null } = rest
  const timings = { dns_ms, connect_ms, tls_ms, first_byte_ms }
  return { ...shared, duration_ms, timings, address, answer_headers, answer_body }
}
