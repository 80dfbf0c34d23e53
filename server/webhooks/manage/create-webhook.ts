import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import { newSecret, sealSecret, strengthOf } from '../../../delivery/index.ts'
import type { Keyring } from '../../../platform/encryption.ts'
import { newId } from '../../../platform/ids.ts'
import { Problem } from '../../api/problems.ts'
import { type HttpResponse as Answer, created } from '../../api/response.ts'
import type { RouteContext as Context } from '../../api/route-spec.ts'
import { audit } from '../../auth/index.ts'
import { tenantIdsOf as placeOf } from '../../tenancy/index.ts'
import type { WebhookAccess } from '../access.ts'
import { etagFieldsOf, readWebhook } from './read-webhooks.ts'
import { MAX_WEBHOOKS, type NewWebhook } from './schema.ts'

export async function createWebhook(
  context: Context<WebhookAccess, z.output<typeof NewWebhook>>,
  tx: Tx,
  url: string,
  keyring: Keyring,
): Promise<Answer> {
  const { target, body } = context
  await lockProject(tx, target.id)
  const id = newId()
  const made = body.generate_secret ? newSecret() : undefined
  const secret = made ?? body.secret
  await tx
    .insertInto('webhooks')
    .values({
      id,
      project_id: target.id,
      name: body.name ?? null,
      url,
      events: body.events,
      payload: body.payload,
      enabled: body.enabled,
      disabled_reason: body.enabled ? null : 'manual',
      secret: secret === undefined ? null : sealSecret(keyring, { id, project_id: target.id }, secret),
      secret_version: secret === undefined ? 0 : 1,
      secret_strength: secret === undefined ? null : strengthOf(secret),
    })
    .execute()
  await tx.insertInto('endpoint_queues').values({ webhook_id: id }).execute()
  await audit(tx, context, {
    action: 'webhook.created',
    ...(await placeOf(tx, target)),
    target: { kind: 'webhook', id },
    details: { project_id: target.id, events: body.events, signed: secret !== undefined },
  })
  const record = await readWebhook(tx, id)
  const shown = made === undefined ? record : { ...record, secret: made }
  return created(shown, `/api/projects/${target.id}/webhooks/${id}`, etagFieldsOf(record))
}

/** Locked, so that two requests at once can't both be the twentieth. */
async function lockProject(tx: Tx, projectId: string): Promise<void> {
  const project = await tx
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!project) throw new Problem('not_found')
  const { count } = await tx
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= MAX_WEBHOOKS)
    throw new Problem('limit_reached', {
      detail: `A project can have at most ${MAX_WEBHOOKS} webhooks. Delete one and try again.`,
    })
}
