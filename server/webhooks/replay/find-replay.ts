import { sql } from 'kysely'
import type { Db } from '../../../database/database.ts'
import { isUuid } from '../../../platform/ids.ts'
import { Problem } from '../../api/problems.ts'
import type { Replay } from './schema.ts'

/** A replay of the webhook. `done` counts successful deliveries, `failed` those that ended in any other way. */
export async function findReplay(db: Db, webhookId: string, id: string | undefined): Promise<Replay> {
  const { rows } = isUuid(id)
    ? await sql<Replay>`
        select r.id, r.state, r.total, count(d.id) filter (where d.status = 'succeeded') as done,
          count(d.id) filter (where d.status in ('failed', 'missed', 'cancelled')) as failed
        from replays r left join deliveries d on d.replay_id = r.id
        where r.id = ${id} and r.webhook_id = ${webhookId}
        group by r.id`.execute(db)
    : { rows: [] }
  const [replay] = rows
  if (!replay) throw new Problem('not_found')
  return replay
}
