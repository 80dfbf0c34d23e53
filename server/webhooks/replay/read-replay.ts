import { sql } from 'kysely'
import { isUuid } from '../../../platform/ids.ts'
import { Problem } from '../../api/problems.ts'
import type { RouteContext as Context } from '../../api/route-spec.ts'
import { findWebhook, type WebhookAccess } from '../access.ts'

interface Progress {
  id: string
  state: 'running' | 'done' | 'cancelled'
  total: number
  done: number
  failed: number
}

/** `done` counts successful deliveries, `failed` those that ended in any other way. */
export async function findReplay(context: Context<WebhookAccess>): Promise<Progress> {
  const webhook = await findWebhook(context)
  const { replay_id } = context.params
  const { rows } = isUuid(replay_id)
    ? await sql<Progress>`
        select r.id, r.state, r.total, count(d.id) filter (where d.status = 'succeeded') as done,
          count(d.id) filter (where d.status in ('failed', 'missed', 'cancelled')) as failed
        from replays r left join deliveries d on d.replay_id = r.id
        where r.id = ${replay_id} and r.webhook_id = ${webhook.id}
        group by r.id`.execute(context.db)
    : { rows: [] }
  const [progress] = rows
  if (!progress) throw new Problem('not_found')
  return progress
}
