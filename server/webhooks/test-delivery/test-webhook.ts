import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import {
  type Egress,
  type NewEvent,
  recordTest as recordResult,
  SecretUnreadable,
  sendTest as send,
  type TestResult,
} from '../../../delivery/index.ts'
import type { Keyring } from '../../../platform/encryption.ts'
import { Problem } from '../../api/problems.ts'
import { type HttpResponse as Answer, found } from '../../api/response.ts'
import type { RouteContext as Context } from '../../api/route-spec.ts'
import { audit } from '../../auth/index.ts'
import { tenantIdsOf as placeOf } from '../../tenancy/index.ts'
import type { WebhookAccess, WebhookRow } from '../access.ts'
import { newEnvelope } from '../events/new-envelope.ts'
import { type EventType, TEST_TYPE } from '../events/payloads.ts'
import { sampleOf } from '../events/samples.ts'
import { serialise, subjectOf } from '../events/serialise.ts'
import type { TestRequest } from '../manage/schema.ts'
import { takeTest } from './test-limit.ts'

export interface TestParts {
  egress: Egress
  keyring: Keyring
  publicUrl: string
  userAgent: string
  /** Whether test deliveries are limited, per webhook. */
  limitTests: boolean
}

/** A test delivery that was sent and is not in the log yet. */
interface Tested {
  event: NewEvent
  result: TestResult
}

type TestContext = Context<WebhookAccess, z.output<typeof TestRequest>>

/** Makes one attempt, even if the webhook is disabled. No transaction is open while the request is in flight. */
export async function sendTest(context: TestContext, row: WebhookRow, parts: TestParts): Promise<Tested> {
  const wait = parts.limitTests ? await takeTest(context.db, row.id) : 0
  if (wait > 0) throw new Problem('rate_limited', { headers: { 'retry-after': String(wait) } })
  const event = await newTestEvent(context, row, parts.publicUrl)
  const isOverlap = row.previous_valid_until !== null && Date.parse(row.previous_valid_until) > Date.now()
  const webhook = { ...row, previous_secret: isOverlap ? row.previous_secret : null }
  const result = await send(webhook, event, parts).catch((error: unknown) => {
    throw error instanceof SecretUnreadable ? new Problem('secret_unreadable') : error
  })
  if (result === null) throw new Problem('not_ready', { headers: { 'retry-after': '5' } })
  return { event, result }
}

async function newTestEvent(
  { db, body }: TestContext,
  row: WebhookRow,
  publicUrl: string,
): Promise<NewEvent> {
  const sample = sampleOf(body?.event ?? (row.events[0] as EventType), row.project_id)
  const envelope = await newEnvelope(db, row.project_id)
  const bodies = serialise(sample, { ...envelope, publicUrl, isTest: true })
  return {
    eventId: envelope.id,
    projectId: row.project_id,
    type: TEST_TYPE,
    subjectId: subjectOf(sample),
    occurredAt: envelope.timestamp,
    fullBody: bodies.full,
    idsBody: bodies.ids,
  }
}

export async function recordTest(
  context: TestContext,
  tx: Tx,
  row: WebhookRow,
  { event, result }: Tested,
): Promise<Answer> {
  await recordResult(tx, row, event, result)
  await audit(tx, context, {
    action: 'webhook.tested',
    ...(await placeOf(tx, context.target)),
    target: { kind: 'webhook', id: row.id },
  })
  const { log, success, signed } = result
  return found({
    delivery_id: log.deliveryId,
    success,
    status_code: log.status,
    duration_ms: log.durationMs,
    error: log.error,
    signed,
  })
}
