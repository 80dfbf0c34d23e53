import type { Tx } from '../database/database.ts'
import type { Keyring } from '../platform/encryption.ts'
import { newId } from '../platform/ids.ts'
import { logOf, newAttempt } from './dispatch/outgoing-request.ts'
import type { Egress } from './http/index.ts'
import { openKeys, type SealedSecrets } from './signing/signature.ts'
import { insertDeliveries } from './statements/insert-deliveries.ts'
import { insertEvent, type NewEvent } from './statements/publish-event.ts'
import type { AttemptLog } from './statements/record-attempts.ts'
import { execute, statement } from './statements/statement.ts'

export interface TestTarget extends SealedSecrets {
  url: string
  payload: 'full' | 'ids'
}

export interface TestResult {
  log: AttemptLog
  success: boolean
  signed: boolean
}

export class SecretUnreadable extends Error {}

/** Makes one attempt, as for a real delivery. Null: this process has no socket left, or is stopping. */
export async function sendTest(
  webhook: TestTarget,
  event: NewEvent,
  { egress, keyring, userAgent }: { egress: Egress; keyring: Keyring; userAgent: string },
): Promise<TestResult | null> {
  const { eventId, type: eventType, occurredAt, fullBody, idsBody } = event
  const body = (webhook.payload === 'full' ? fullBody : idsBody).toString()
  const outgoing = { url: webhook.url, eventId, eventType, body, keys: keysOf(keyring, webhook) }
  const of = { deliveryId: newId(), number: 1, at: Date.parse(occurredAt) }
  const { attempt, request } = newAttempt(of, outgoing, userAgent)
  const result = await egress.post(webhook.id, request)
  const signed = attempt.secretVersion !== null
  return result && { log: logOf(attempt, result), success: result.success, signed }
}

/** A secret that can't be decrypted never leads to an unsigned delivery. */
function keysOf(keyring: Keyring, webhook: SealedSecrets) {
  try {
    return openKeys(keyring, webhook)
  } catch (cause) {
    throw new SecretUnreadable('the secret can’t be decrypted', { cause })
  }
}

const RECORD_TEST = statement<
  NewEvent & Omit<AttemptLog, 'at'> & { webhookId: string; payload: string; outcome: 'succeeded' | 'failed' }
>(
  'record_test',
  `with event as (${insertEvent()}), delivery as (
     ${insertDeliveries(
       // Superseded from the start, so that a replay of failed deliveries leaves tests out.
       `select :deliveryId::uuid as id, :webhookId::uuid as webhook_id, e.id as event_id, e.type as event_type,
          e.occurred_at as event_at, 'test' as kind, :payload::text as payload, :outcome::text as status,
          e.occurred_at as created_at, 1 as attempts, :status::integer as last_status, :error::text as last_error,
          :deliveryId::uuid as superseded_by
        from event e`,
       ['attempts', 'last_status', 'last_error', 'superseded_by'],
     )}
   )
   insert into attempts (delivery_id, number, at, duration_ms, status, error, details)
   select :deliveryId::uuid, :number::integer, e.occurred_at, :durationMs::integer, :status::integer, :error::text,
     :details::json
   from event e`,
)

/** Only into the log: a test changes neither the health of the webhook nor its circuit breaker. */
export async function recordTest(
  tx: Tx,
  { id, payload }: TestTarget,
  event: NewEvent,
  { log, success }: TestResult,
): Promise<void> {
  const outcome = success ? 'succeeded' : 'failed'
  await execute(tx, RECORD_TEST, { ...event, ...log, webhookId: id, payload, outcome })
}
