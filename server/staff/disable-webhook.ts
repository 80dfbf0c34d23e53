import type { z } from 'zod'
import type { Db, Tx } from '../../database/database.ts'
import { isUuid } from '../../platform/ids.ts'
import { Problem } from '../api/problems.ts'
import { type Answer, found } from '../api/response.ts'
import { audit, type Context } from '../auth/index.ts'
import { placeOf } from '../tenancy/index.ts'
import { disableForStaff, readWebhooks } from '../webhooks/index.ts'
import type { Disabling } from './schema.ts'

export async function requireWebhook(db: Db, id: string | undefined): Promise<void> {
  const [webhook] = isUuid(id) ? await readWebhooks(db, { webhookId: id }) : []
  if (!webhook) throw new Problem('not_found')
}

/** Whatever its state: one that its owners had disabled themselves can't be enabled by them any more. */
export async function disableByStaff(
  context: Context<{ kind: 'staff' }, z.output<typeof Disabling>>,
  tx: Tx,
): Promise<Answer> {
  const id = context.params['id'] as string
  const workspace_id = await disableForStaff(tx, id)
  await audit(tx, context, {
    action: 'webhook.disabled',
    ...(await placeOf(tx, { workspace_id })),
    target: { kind: 'webhook', id },
    reason: context.body.reason,
  })
  const [webhook] = await readWebhooks(tx, { webhookId: id })
  return found(webhook)
}
