import { sql } from 'kysely'
import type { Webhook } from './schema.ts'

export type HealthState = Webhook['health']['state']

/** The state of a webhook `w` whose endpoint queue is `q`. */
export const HEALTH_STATE = sql<HealthState>`case
  when not w.enabled then 'disabled' when q.consecutive_failures > 0 then 'failing' when q.last_attempt_at is null then 'new' else 'ok'
end`
