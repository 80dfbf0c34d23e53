import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import { closeBreaker, disableWebhook, sealSecret, strengthOf } from '../../../delivery/index.ts'
import type { Keyring } from '../../../platform/encryption.ts'
import { Problem } from '../../api/problems.ts'
import { type HttpResponse as Answer, ok, requireMatch } from '../../api/response.ts'
import type { RouteContext as Context } from '../../api/route-spec.ts'
import { audit } from '../../auth/index.ts'
import { tenantIdsOf as placeOf } from '../../tenancy/index.ts'
import type { WebhookAccess, WebhookRow } from '../access.ts'
import { etagFieldsOf, readWebhook } from './read-webhooks.ts'
import type { Webhook, WebhookPatch } from './schema.ts'

type Patch = z.output<typeof WebhookPatch>

export async function updateWebhook(
  context: Context<WebhookAccess, Patch>,
  tx: Tx,
  url: string | undefined,
  keyring: Keyring,
): Promise<Answer> {
  const row = await lockWebhook(tx, context.params['id'] as string)
  const before = await readWebhook(tx, row.id)
  requireMatch(context.ifMatch, etagFieldsOf(before))
  const patch = url === undefined ? context.body : { ...context.body, url }
  const fields = changedFields(patch, before)
  if (fields.length === 0) return ok(before, etagFieldsOf(before))

  refuseIfStaffDisabled(context, row, patch)
  await tx
    .updateTable('webhooks')
    .set({ ...columnsOf(patch, row, keyring), updated_at: sql`now()` })
    .where('id', '=', row.id)
    .execute()
  if (fields.includes('enabled')) await switchTo(tx, row, patch.enabled === true)
  // A receiver at another address has not failed yet.
  if (fields.includes('url') || patch.enabled === true) await closeBreaker(tx, row.id)
  await audit(tx, context, {
    action: fields.includes('secret') ? 'webhook.secret_changed' : 'webhook.updated',
    ...(await placeOf(tx, context.target)),
    target: { kind: 'webhook', id: row.id },
    details: { fields },
  })
  const after = await readWebhook(tx, row.id)
  return ok(after, etagFieldsOf(after))
}

export async function lockWebhook(tx: Tx, id: string): Promise<WebhookRow> {
  const row = await tx
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new Problem('not_found')
  return row
}

/** A secret is a change whenever it is sent: whether it is the same is not told. */
function changedFields(patch: Patch, before: Webhook): string[] {
  return Object.entries(patch)
    .filter(([key, value]) =>
      key === 'secret'
        ? value !== null || before.has_secret
        : !isDeepStrictEqual(value, before[key as keyof Webhook]),
    )
    .map(([key]) => key)
}

function refuseIfStaffDisabled({ principal }: Context, row: WebhookRow, patch: Patch): void {
  if (patch.enabled === true && row.disabled_reason === 'staff' && !principal.staff)
    throw new Problem('disabled_by_staff')
}

function columnsOf(patch: Patch, row: WebhookRow, keyring: Keyring) {
  const { secret, enabled: _enabled, ...plain } = patch
  if (secret === undefined) return plain
  const replaced = { previous_secret: null, previous_valid_until: null }
  if (secret === null) return { ...plain, ...replaced, secret: null, secret_strength: null }
  return {
    ...plain,
    ...replaced,
    secret: sealSecret(keyring, row, secret),
    secret_version: row.secret_version + 1,
    secret_strength: strengthOf(secret),
  }
}

async function switchTo(tx: Tx, row: WebhookRow, enabled: boolean): Promise<void> {
  if (!enabled) return void (await disableWebhook(tx, row.id, 'manual'))
  await tx
    .updateTable('webhooks')
    .set({ enabled: true, disabled_reason: null })
    .where('id', '=', row.id)
    .execute()
}
