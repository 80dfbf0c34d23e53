import type { z } from 'zod'
import type { Db } from '../../database/database.ts'
import { isUuid } from '../../platform/ids.ts'
import { Problem } from '../api/problems.ts'
import type { ChangeContext } from '../api/route-spec.ts'
import { audit } from '../auth/index.ts'
import { tenantIdsOf } from '../tenancy/index.ts'
import { disableForStaff, readWebhooks, type Webhook } from '../webhooks/index.ts'
import type { Disabling } from './schema.ts'

export async function requireWebhook(db: Db, id: string | undefined): Promise<void> {
  const [webhook] = isUuid(id) ? await readWebhooks(db, { webhookId: id }) : []
  if (!webhook) throw new Problem('not_found')
}

/** Also disables a webhook that its owners had disabled: they can no longer enable it. */
export async function disableByStaff(
  context: ChangeContext,
  id: string,
  { reason }: z.output<typeof Disabling>,
): Promise<z.output<typeof Webhook>> {
  const { tx } = context
  const workspace_id = await disableForStaff(tx, id)
  await audit(tx, context, {
    action: 'webhook.disabled',
    ...(await tenantIdsOf(tx, { workspace_id })),
    target: { kind: 'webhook', id },
    reason,
  })
  const [webhook] = await readWebhooks(tx, { webhookId: id })
  if (!webhook) throw new Problem('not_found')
  return webhook
}
