import { sql } from 'kysely'
import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import { replays } from '../../../delivery/index.ts'
import { invalidInput } from '../../api/problems.ts'
import type { ChangeContext } from '../../api/route-spec.ts'
import type { ProjectTarget } from '../../auth/index.ts'
import { auditChange, type WebhookRow } from '../access.ts'
import { refuseWhenDisabled } from '../deliveries/resend.ts'
import type { NewReplay } from './schema.ts'

/** Sends failed, missed or all events of a time range again, in the background. */
export async function startReplay(
  context: ChangeContext<ProjectTarget>,
  webhook: WebhookRow,
  replay: z.output<typeof NewReplay>,
): Promise<{ id: string }> {
  refuseWhenDisabled(webhook)
  const { tx } = context
  const { since, events = webhook.events, only = 'undelivered' } = replay
  if (events.some((event) => !webhook.events.includes(event)))
    throw invalidInput({
      path: 'events',
      message: 'must contain only event types that the webhook subscribes to',
    })
  const id = await replays.createReplay(tx, {
    webhookId: webhook.id,
    projectId: webhook.project_id,
    selection: only,
    events,
    since,
    until: replay.until ?? (await justAfterNow(tx)),
  })
  await auditChange(
    context,
    'replay.started',
    { kind: 'replay', id },
    { webhook_id: webhook.id, only, events },
  )
  return { id }
}

/** In milliseconds, as event times are, so that every later step of the replay selects the same events. */
async function justAfterNow(tx: Tx): Promise<string> {
  const { rows } = await sql<{ now: string }>`
    select date_trunc('milliseconds', now()) + interval '1 ms' as now`.execute(tx)
  return rows[0]?.now as string
}
