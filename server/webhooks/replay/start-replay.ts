import { sql } from 'kysely'
import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import { createReplay } from '../../../delivery/index.ts'
import { invalidInput } from '../../api/problems.ts'
import { type HttpResponse as Answer, accepted } from '../../api/response.ts'
import type { RouteContext as Context } from '../../api/route-spec.ts'
import { audit } from '../../auth/index.ts'
import { tenantIdsOf as placeOf } from '../../tenancy/index.ts'
import type { WebhookAccess, WebhookRow } from '../access.ts'
import { refuseWhenDisabled } from '../deliveries/resend.ts'
import type { NewReplay } from '../deliveries/schema.ts'

/** Sends failed, missed or all events of a time span again, in the background. */
export async function startReplay(
  context: Context<WebhookAccess, z.output<typeof NewReplay>>,
  tx: Tx,
  webhook: WebhookRow,
): Promise<Answer> {
  refuseWhenDisabled(webhook)
  const { body, target } = context
  const { since, events = webhook.events, only = 'undelivered' } = body
  if (events.some((event) => !webhook.events.includes(event)))
    throw invalidInput({ path: 'events', message: 'must be among those that the webhook subscribes to' })
  const id = await createReplay(tx, {
    webhookId: webhook.id,
    projectId: webhook.project_id,
    selection: only,
    events,
    since,
    until: body.until ?? (await justAfterNow(tx)),
  })
  await audit(tx, context, {
    action: 'replay.started',
    ...(await placeOf(tx, target)),
    target: { kind: 'replay', id },
    details: { webhook_id: webhook.id, only, events },
  })
  return accepted({ id })
}

/** Event times have milliseconds, as does a time that is read back: a later run with this time selects the same events. */
async function justAfterNow(tx: Tx): Promise<string> {
  const { rows } = await sql<{ now: string }>`
    select date_trunc('milliseconds', now()) + interval '1 ms' as now`.execute(tx)
  return rows[0]?.now as string
}
