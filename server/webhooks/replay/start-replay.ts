import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { invalidInput } from '../../api/problems.ts'
import { type HttpResponse as Answer, accepted } from '../../api/response.ts'
import type { RouteContext as Context } from '../../api/route-spec.ts'
import { audit } from '../../auth/index.ts'
import { tenantIdsOf as placeOf } from '../../tenancy/index.ts'
import type { WebhookAccess, WebhookRow } from '../access.ts'
import { refuseWhenDisabled } from '../deliveries/resend.ts'
import type { NewReplay } from '../deliveries/schema.ts'

/** Everything that was missed, or failed, or happened at all in a span of time is sent again, in the background. */
export async function startReplay(
  context: Context<WebhookAccess, z.output<typeof NewReplay>>,
  tx: Tx,
  webhook: WebhookRow,
): Promise<Answer> {
  refuseWhenDisabled(webhook)
  const { body, target } = context
  const events = body.events ?? webhook.events
  if (events.some((event) => !webhook.events.includes(event)))
    throw invalidInput({ path: 'events', message: 'must be among those that the webhook subscribes to' })
  const only = body.only ?? 'undelivered'
  const until = body.until ?? (await justAfterNow(tx))
  const span: Span = { only, since: body.since, until, webhook, events }
  const id = newId()
  await sql`
    insert into replays (id, webhook_id, selection, events, since, until, total)
    select ${id}, ${webhook.id}, ${only}, ${events}, ${body.since}, ${until},
      (select count(*) from (${selectionOf(span)}) chosen)`.execute(tx)
  await audit(tx, context, {
    action: 'replay.started',
    ...(await placeOf(tx, target)),
    target: { kind: 'replay', id },
    details: { webhook_id: webhook.id, only, events },
  })
  return accepted({ id })
}

/** Events are told to the millisecond, and so is what is read back of a time: this one counts them all, then as now. */
async function justAfterNow(tx: Tx): Promise<string> {
  const { rows } = await sql<{ now: string }>`
    select date_trunc('milliseconds', now()) + interval '1 ms' as now`.execute(tx)
  return rows[0]?.now as string
}

type Selection = 'failed' | 'missed' | 'undelivered' | 'all'

export interface Span {
  webhook: { id: string; project_id: string }
  only: Selection
  events: string[]
  since: string
  until: string
}

/**
 * What a replay sends, oldest first when ordered by `position`: undelivered deliveries that nothing has taken the place
 * of, or simply the project's events.
 */
export function selectionOf({ webhook, only, events, since, until }: Span): RawBuilder<unknown> {
  const within = (column: string) => sql`${sql.ref(column)} >= ${since}::timestamptz
    and ${sql.ref(column)} < ${until}::timestamptz`
  if (only === 'all') {
    return sql`
      select e.id as position, e.id as event_id, null::uuid as delivery_id, e.type as event_type, e.occurred_at as event_at
      from events e
      where e.project_id = ${webhook.project_id} and e.type = any(${events}) and ${within('e.occurred_at')}
        and e.full_body is not null and e.id >= uuid_floor(${since}::timestamptz - interval '1 day')`
  }
  return sql`
    select d.id as position, d.event_id, d.id as delivery_id, d.event_type, d.event_at
    from deliveries d
    join events e on e.id = d.event_id and e.full_body is not null
    where d.webhook_id = ${webhook.id} and d.status = any(${only === 'undelivered' ? ['failed', 'missed'] : [only]}) and d.superseded_by is null
      and d.event_type = any(${events}) and ${within('d.event_at')}`
}
