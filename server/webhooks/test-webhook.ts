import { sql } from 'kysely'
import type { z } from 'zod'
import type { Tx } from '../../database/database.ts'
import { type Attempt, type AttemptLog, logOf, newAttempt } from '../../delivery/dispatch/attempt.ts'
import type { Egress } from '../../delivery/http/index.ts'
import { openKeys } from '../../delivery/signing/signature.ts'
import type { Keyring } from '../../platform/encryption.ts'
import { newId } from '../../platform/ids.ts'
import { Problem } from '../api/problems.ts'
import { type HttpResponse as Answer, found } from '../api/response.ts'
import type { RouteContext as Context } from '../api/route-spec.ts'
import { audit } from '../auth/index.ts'
import { tenantIdsOf as placeOf } from '../tenancy/index.ts'
import type { WebhookAccess, WebhookRow } from './access.ts'
import { DELIVERY_HOURS } from './events/emit.ts'
import { newTelling } from './events/new-telling.ts'
import { type EventType, TEST_TYPE } from './events/payloads.ts'
import { sampleOf } from './events/samples.ts'
import { serialise, subjectOf } from './events/serialise.ts'
import type { TestRequest } from './schema.ts'
import { takeTest } from './test-limit.ts'

export interface TestParts {
  egress: Egress
  keyring: Keyring
  publicUrl: string
  userAgent: string
  /** Whether test deliveries are limited, per webhook. */
  limitTests: boolean
}

/** A test delivery that was sent and answered, and is not in the log yet. */
export interface Tested {
  attempt: Attempt
  log: AttemptLog
  success: boolean
  eventId: string
  subjectId: string
  bodies: { full: Buffer; ids: Buffer }
}

type TestContext = Context<WebhookAccess, z.output<typeof TestRequest>>

/** One attempt, now, by the very way that real deliveries take, whatever `enabled` says. No transaction is open meanwhile. */
export async function sendTest(context: TestContext, row: WebhookRow, parts: TestParts): Promise<Tested> {
  const wait = parts.limitTests ? await takeTest(context.db, row.id) : 0
  if (wait > 0) throw new Problem('rate_limited', { headers: { 'retry-after': String(wait) } })
  const sample = sampleOf(context.body?.event ?? (row.events[0] as EventType), row.project_id)
  const telling = await newTelling(context.db, row.project_id)
  const bodies = serialise(sample, { ...telling, publicUrl: parts.publicUrl, isTest: true })
  const keys = keysOf(parts.keyring, row)
  const body = (row.payload === 'full' ? bodies.full : bodies.ids).toString()
  const shipment = { url: row.url, eventId: telling.id, eventType: TEST_TYPE, body, keys }
  const of = { deliveryId: newId(), number: 1, at: Date.parse(telling.timestamp) }
  const { attempt, request } = newAttempt(of, shipment, parts.userAgent)
  const result = await parts.egress.post(row.id, request)
  if (result === null) throw new Problem('not_ready', { headers: { 'retry-after': '5' } })
  const { success } = result
  return {
    attempt,
    log: logOf(attempt, result),
    success,
    eventId: telling.id,
    subjectId: subjectOf(sample),
    bodies,
  }
}

/** A secret that can't be read never becomes an unsigned delivery, not even of a test. */
function keysOf(keyring: Keyring, row: WebhookRow) {
  const overlaps = row.previous_valid_until !== null && Date.parse(row.previous_valid_until) > Date.now()
  try {
    return openKeys(keyring, { ...row, previous_secret: overlaps ? row.previous_secret : null })
  } catch {
    throw new Problem('secret_unreadable')
  }
}

/** Into the log, and nowhere else: a test touches neither the webhook's health nor its breaker. */
export async function recordTest(
  context: TestContext,
  tx: Tx,
  row: WebhookRow,
  tested: Tested,
): Promise<Answer> {
  const { attempt, log, success, bodies, eventId, subjectId } = tested
  const at = new Date(attempt.at).toISOString()
  await tx
    .insertInto('events')
    .values({
      id: eventId,
      project_id: row.project_id,
      type: TEST_TYPE,
      subject_id: subjectId,
      occurred_at: at,
      full_body: bodies.full,
      ids_body: bodies.ids,
    })
    .execute()
  await tx
    .insertInto('deliveries')
    .values({
      id: attempt.deliveryId,
      webhook_id: row.id,
      event_id: eventId,
      event_type: TEST_TYPE,
      event_at: at,
      kind: 'test',
      payload: row.payload,
      status: success ? 'succeeded' : 'failed',
      attempts: 1,
      created_at: at,
      due_at: at,
      expires_at: sql<string>`${at}::timestamptz + make_interval(hours => ${DELIVERY_HOURS})`,
      finished_at: sql<string>`now()`,
      last_status: log.status,
      last_error: log.error,
      // A failed test was never a delivery that somebody waits for: a replay of what failed leaves it alone.
      superseded_by: attempt.deliveryId,
    })
    .execute()
  await tx
    .insertInto('attempts')
    .values({
      delivery_id: attempt.deliveryId,
      number: attempt.number,
      at,
      duration_ms: log.durationMs,
      status: log.status,
      error: log.error,
      details: log.details,
    })
    .execute()
  await audit(tx, context, {
    action: 'webhook.tested',
    ...(await placeOf(tx, context.target)),
    target: { kind: 'webhook', id: row.id },
  })
  return found({
    delivery_id: attempt.deliveryId,
    success,
    status_code: log.status,
    duration_ms: log.durationMs,
    error: log.error,
    signed: attempt.secretVersion !== null,
  })
}
