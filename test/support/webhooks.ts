import { randomUUID } from 'node:crypto'
import { inTransaction } from '../../server/kernel/database.ts'
import { createEmitter, type Occurrence } from '../../server/webhooks/index.ts'
import { newTenant, type Tenant } from './tenants.ts'
import type { Reply, TestBackend } from './backend.ts'

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
  if (reply.status !== 201) throw new Error(`a webhook could not be made: ${reply.text}`)
  return reply.body
}

/** A conversation that began in the project, as the processing will tell it. */
export function conversationStarted(projectId: string, id: string = randomUUID()): Occurrence {
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

/** In a transaction of its own, by the same `emit` as the product's. Answers with the event's id. */
export function emitNow({ database }: TestBackend, occurrence: Occurrence, tierGates = true): Promise<string> {
  const emit = createEmitter({ publicUrl: 'http://parley.test', tierGates })
  return inTransaction(database.db, (tx) => emit(tx, occurrence))
}
