import { LIFETIME_HOURS } from '../rules/lifetime.ts'

const COLUMNS = 'id webhook_id event_id event_type event_at kind payload status created_at'.split(' ')

/** The one way to insert deliveries. `rows` is a query that returns the columns above and those in `more`. */
export const insertDeliveries = (rows: string, more: string[] = []): string => `
  insert into deliveries (${[...COLUMNS, ...more].join(', ')}, due_at, expires_at, finished_at)
  select ${[...COLUMNS, ...more].map((column) => `new.${column}`).join(', ')}, new.created_at,
    new.created_at + interval '${LIFETIME_HOURS} hours',
    case when new.status <> 'pending' then clock_timestamp() end
  from (${rows}) as new`
