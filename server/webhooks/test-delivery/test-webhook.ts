import type { z } from 'zod'
import { type Egress, type NewEvent, testDelivery } from '../../../delivery/index.ts'
import type { Keyring } from '../../../platform/encryption.ts'
import { Problem } from '../../api/problems.ts'
import type { ChangeContext, Context } from '../../api/route-spec.ts'
import type { ProjectTarget } from '../../auth/index.ts'
import { auditChange, type WebhookRow } from '../access.ts'
import type { DeliveryError } from '../deliveries/schema.ts'
import { newEnvelope } from '../events/new-envelope.ts'
import type { EventType } from '../events/payloads.ts'
import { sampleOf } from '../events/samples.ts'
import { toNewEvent } from '../events/serialise.ts'
import type { TestResult } from './schema.ts'
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
type SentTest = { event: NewEvent; result: testDelivery.TestResult }

/** Makes one attempt, even if the webhook is disabled. No transaction is open while the request is in flight. */
export async function sendTestDelivery(
  { db }: Context,
  { webhook: row, type }: { webhook: WebhookRow; type: EventType | undefined },
  parts: TestParts,
): Promise<SentTest> {
  const wait = parts.limitTests ? await takeTest(db, row.id) : 0
  if (wait > 0) throw new Problem('rate_limited', { retryAfterSeconds: wait })
  const sample = sampleOf(type ?? (row.events[0] as EventType), row.project_id)
  const envelope = await newEnvelope(db, row.project_id)
  const event = toNewEvent(sample, { ...envelope, publicUrl: parts.publicUrl, isTest: true })
  const isOverlap = row.previous_valid_until !== null && Date.parse(row.previous_valid_until) > Date.now()
  const webhook = { ...row, previous_secret: isOverlap ? row.previous_secret : null }
  const result = await testDelivery.sendTest(webhook, event, parts).catch((error: unknown) => {
    throw error instanceof testDelivery.SecretUnreadable ? new Problem('secret_unreadable') : error
  })
  if (result === null) throw new Problem('not_ready', { retryAfterSeconds: 5 })
  return { event, result }
}

export async function recordTestDelivery(
  context: ChangeContext<ProjectTarget>,
  row: WebhookRow,
  { event, result }: SentTest,
): Promise<z.output<typeof TestResult>> {
  await testDelivery.recordTest(context.tx, row, event, result)
  await auditChange(context, 'webhook.tested', { kind: 'webhook', id: row.id })
  const { log, success, signed } = result
  return {
    delivery_id: log.deliveryId,
    success,
    status_code: log.status,
    duration_ms: log.durationMs,
    error: log.error as DeliveryError | null,
    signed,
  }
}
