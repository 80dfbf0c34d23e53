import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import { closeBreaker, disableWebhook, secrets } from '../../../delivery/index.ts'
import type { Keyring } from '../../../platform/encryption.ts'
import { Problem } from '../../api/problems.ts'
import type { ChangeContext } from '../../api/route-spec.ts'
import type { ProjectTarget } from '../../auth/index.ts'
import { auditChange, lockWebhook, type WebhookRow } from '../access.ts'
import { etagFieldsOf, readWebhook } from './read-webhooks.ts'
import type { Webhook, WebhookPatch } from './schema.ts'

type Patch = z.output<typeof WebhookPatch>

export async function updateWebhook(
  context: ChangeContext<ProjectTarget>,
  { id, patch }: { id: string; patch: Patch },
  keyring: Keyring,
): Promise<Webhook> {
  const { tx } = context
  const row = await lockWebhook(tx, id)
  const before = await readWebhook(tx, row.id)
  context.requireUnchanged(etagFieldsOf(before))
  const fields = changedFields(patch, before)
  if (fields.length === 0) return before

  if (patch.enabled === true && row.disabled_reason === 'staff' && !context.principal.staff)
    throw new Problem('disabled_by_staff')
  await tx
    .updateTable('webhooks')
    .set({ ...columnsOf(patch, row, keyring), updated_at: sql`now()` })
    .where('id', '=', row.id)
    .execute()
  if (fields.includes('enabled')) await setEnabled(tx, row.id, patch.enabled === true)
  // A receiver at another address starts without failures.
  if (fields.includes('url') || patch.enabled === true) await closeBreaker(tx, row.id)
  const action = fields.includes('secret') ? 'webhook.secret_changed' : 'webhook.updated'
  await auditChange(context, action, { kind: 'webhook', id }, { fields })
  return readWebhook(tx, row.id)
}

/** A secret always counts as a change: the response must not reveal whether it equals the stored one. */
function changedFields(patch: Patch, before: Webhook): string[] {
  return Object.entries(patch)
    .filter(([key, value]) =>
      key === 'secret'
        ? value !== null || before.has_secret
        : !isDeepStrictEqual(value, before[key as keyof Webhook]),
    )
    .map(([key]) => key)
}

function columnsOf(patch: Patch, row: WebhookRow, keyring: Keyring) {
  const { secret, enabled: _enabled, ...plain } = patch
  if (secret === undefined) return plain
  const replaced = { previous_secret: null, previous_valid_until: null }
  if (secret === null) return { ...plain, ...replaced, secret: null, secret_strength: null }
  return {
    ...plain,
    ...replaced,
    secret: secrets.sealSecret(keyring, row, secret),
    secret_version: row.secret_version + 1,
    secret_strength: secrets.strengthOf(secret),
  }
}

async function setEnabled(tx: Tx, id: string, enabled: boolean): Promise<void> {
  if (!enabled) return void (await disableWebhook(tx, id, 'manual'))
  await tx
    .updateTable('webhooks')
    .set({ enabled: true, disabled_reason: null })
    .where('id', '=', id)
    .execute()
}
