import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { inTransaction } from '../../database/database.ts'
import type { ConversationPayload, EventType, ReportPayload } from '../../server/webhooks/events/payloads.ts'
import { sampleOf } from '../../server/webhooks/events/samples.ts'
import { createEmitter, type DomainEvent } from '../../server/webhooks/index.ts'
import type { Reply, TestBackend } from './backend.ts'
import { newTenant, type Tenant } from './tenants.ts'

/** A tenant whose workspace has webhooks. */
export async function newWebhookTenant(backend: TestBackend, tier = 'changemaker'): Promise<Tenant> {
  const tenant = await newTenant(backend)
  await setTier(backend, tenant, tier)
  return tenant
}

export async function setTier({ database }: TestBackend, { workspace }: Tenant, tier: string): Promise<void> {
  await database.pool.query('update workspaces set tier = $2 where id = $1', [workspace, tier])
}

export const EVERY_EVENT = [
  'conversation.started',
  'conversation.transcribed',
  'conversation.summarized',
  'report.generated',
]

export const webhooksOf = ({ project }: Tenant): string => `/api/projects/${project}/webhooks`

export async function newWebhook(tenant: Tenant, body: Record<string, unknown>): Promise<Reply['body']> {
  const reply = await tenant.owner.post(webhooksOf(tenant), { events: EVERY_EVENT, ...body })
  if (reply.status !== 201) throw new Error(`The webhook was not created: ${reply.text}`)
  return reply.body
}

/** The event of a conversation that has just started. */
export function conversationStarted(projectId: string, id: string = randomUUID()): DomainEvent {
  return {
    type: 'conversation.started',
    projectId,
    conversation: {
      id,
      revision: 1,
      status: 'recording',
      source: 'portal_audio',
      language: 'en',
      participant_name: 'Ada',
      tags: [],
      started_at: '2026-01-31T10:00:00.000Z',
      finished_at: null,
      duration_seconds: null,
      title: null,
    },
  }
}

/** Emits the event in a new transaction, and returns its id. */
export function emitNow(
  { database }: TestBackend,
  domainEvent: DomainEvent,
  tierGates = true,
): Promise<string> {
  const emit = createEmitter({ publicUrl: 'http://parley.test', tierGates })
  return inTransaction(database.db, (tx) => emit(tx, domainEvent))
}

/** An event about a new conversation or report, with the given fields. */
export function newEventOf(
  type: EventType,
  projectId: string,
  fields: Partial<ConversationPayload & ReportPayload> = {},
): DomainEvent {
  const sample = sampleOf(type, projectId)
  if (sample.type === 'report.generated')
    return {
      ...sample,
      report: { ...sample.report, id: randomUUID(), ...(fields as Partial<ReportPayload>) },
    }
  const own = fields as Partial<ConversationPayload>
  return { ...sample, conversation: { ...sample.conversation, id: randomUUID(), ...own } }
}

/**
 * Polls a value that nothing announces, and less often the longer it takes: the queries would slow down what it waits for. The limit is
 * long because a busy machine can be slow.
 */
export async function until<T>(
  read: () => Promise<T>,
  holds: (value: T) => boolean,
  limitMs = 60_000,
): Promise<T> {
  const began = performance.now()
  for (;;) {
    const value = await read()
    if (holds(value)) return value
    const waited = performance.now() - began
    if (waited > limitMs) throw new Error(`Timeout; the last value was ${JSON.stringify(value)}`)
    await pause(Math.min(15 + waited / 10, 200))
  }
}

/** The deliveries of a webhook, newest first, once `count` of them exist and each was attempted or is finished. */
export async function deliveriesOf(tenant: Tenant, webhookId: string, count = 1): Promise<Reply['body'][]> {
  const path = `${webhooksOf(tenant)}/${webhookId}/deliveries?limit=200`
  return until(
    async () => (await tenant.owner.get(path)).body.data,
    (rows) =>
      rows.length >= count &&
      rows.every((row: Reply['body']) => row.finished_at !== null || row.attempts > 0),
  )
}

/** One delivery with all details, once it was attempted or is finished. */
export async function deliveryOf(
  tenant: Tenant,
  webhookId: string,
  deliveryId: string,
): Promise<Reply['body']> {
  const path = `${webhooksOf(tenant)}/${webhookId}/deliveries/${deliveryId}`
  return until(
    async () => (await tenant.owner.get(path)).body,
    (row) => row.finished_at !== null || row.attempts > 0,
  )
}

/** A public address, for tests that never connect to it. */
export const PUBLIC = 'https://1.1.1.1/hook'

/** Checks for a 422 that names the field. */
export function assertRefused(reply: Reply, field: string): void {
  assert.deepEqual([reply.status, reply.body.code], [422, 'invalid_input'], reply.text)
  const paths = reply.body.errors.map(({ path }: { path: string }) => path)
  assert.ok(
    paths.some((path: string) => path === field || path.startsWith(`${field}.`)),
    `${field} is not named: ${reply.text}`,
  )
}

/** Checks that creating and updating with these fields gets a 422 that names the field, and changes nothing. */
export async function assertRefusedEverywhere(
  of: Tenant,
  sent: Record<string, unknown>,
  field: string,
): Promise<void> {
  const all = webhooksOf(of)
  const listed = (await of.owner.get(all)).body
  const webhook = listed[0] ?? (await newWebhook(of, { url: PUBLIC, secret: 'kept as it was' }))
  const before = (await of.owner.get(all)).body
  assertRefused(await of.owner.post(all, { url: PUBLIC, events: EVERY_EVENT, ...sent }), field)
  assertRefused(await of.owner.send('PATCH', `${all}/${webhook.id}`, sent), field)
  assert.deepEqual((await of.owner.get(all)).body, before)
}

export interface DeliveryRow {
  id: string
  webhook_id: string
  status: string
  attempts: number
  due_at: string
}

/** The newest delivery of an event. */
export async function latestDelivery(
  { database }: TestBackend,
  eventId: string,
): Promise<DeliveryRow | undefined> {
  const { rows } = await database.pool.query<DeliveryRow>(
    'select id, webhook_id, status, attempts, due_at from deliveries where event_id = $1 order by id desc limit 1',
    [eventId],
  )
  return rows[0]
}
