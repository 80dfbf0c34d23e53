import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import { secrets } from '../../../delivery/index.ts'
import type { Keyring } from '../../../platform/encryption.ts'
import { newId } from '../../../platform/ids.ts'
import { Problem } from '../../api/problems.ts'
import type { ChangeContext } from '../../api/route-spec.ts'
import type { ProjectTarget } from '../../auth/index.ts'
import { auditChange } from '../access.ts'
import { readWebhook } from './read-webhooks.ts'
import { type CreatedWebhook, MAX_WEBHOOKS, type NewWebhook } from './schema.ts'

/** A secret that the service generates is returned here and never again. */
export async function createWebhook(
  context: ChangeContext<ProjectTarget>,
  webhook: z.output<typeof NewWebhook>,
  keyring: Keyring,
): Promise<z.output<typeof CreatedWebhook>> {
  const { target, tx } = context
  await checkLimit(tx, target.id)
  const id = newId()
  const generated = webhook.generate_secret ? secrets.newSecret() : undefined
  const secret = generated ?? webhook.secret
  await tx
    .insertInto('webhooks')
    .values({
      id,
      project_id: target.id,
      name: webhook.name ?? null,
      url: webhook.url,
      events: webhook.events,
      payload: webhook.payload,
      enabled: webhook.enabled,
      disabled_reason: webhook.enabled ? null : 'manual',
      secret:
        secret === undefined ? null : secrets.sealSecret(keyring, { id, project_id: target.id }, secret),
      secret_version: secret === undefined ? 0 : 1,
      secret_strength: secret === undefined ? null : secrets.strengthOf(secret),
    })
    .execute()
  await tx.insertInto('endpoint_queues').values({ webhook_id: id }).execute()
  const details = { project_id: target.id, events: webhook.events, signed: secret !== undefined }
  await auditChange(context, 'webhook.created', { kind: 'webhook', id }, details)
  const record = await readWebhook(tx, id)
  return generated === undefined ? record : { ...record, secret: generated }
}

/** Locks the project first, so that concurrent requests cannot exceed the limit together. */
async function checkLimit(tx: Tx, projectId: string): Promise<void> {
  await tx
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new Problem('not_found'))
  const { count } = await tx
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= MAX_WEBHOOKS)
    throw new Problem('limit_reached', {
      detail: `Limit reached: a project can have at most ${MAX_WEBHOOKS} webhooks. Delete one and try again.`,
    })
}
