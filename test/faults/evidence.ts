import pg from 'pg'
import { type Received, readReceived, type Stray } from './receiver.ts'
import type { World } from './world.ts'

/** Times are milliseconds since 1970, with fractions. */
interface LedgerRow {
  key: string
  project_id: string
  /** When its transaction began. */
  began: number
}

interface EventRow {
  id: string
  key: string
  project_id: string
}

export interface DeliveryRow {
  id: string
  webhook_id: string
  event_id: string
  kind: string
  status: string
  attempts: number
  replay_id: string | null
  finished: number | null
}

interface AttemptRow {
  delivery_id: string
  webhook_id: string
  number: number
  status: number | null
  error: string | null
}

/** What each of three witnesses says: the ledger, the service's own tables, and the receiver's log. */
export interface Evidence {
  ledger: LedgerRow[]
  events: EventRow[]
  deliveries: DeliveryRow[]
  attempts: AttemptRow[]
  received: Received[]
  strays: Stray[]
}

export async function gather({ cluster, receiver }: World): Promise<Evidence> {
  const client = new pg.Client({ connectionString: cluster.url, options: '-c search_path=parley' })
  await client.connect()
  const all = async <R extends pg.QueryResultRow>(text: string): Promise<R[]> =>
    (await client.query<R>(text)).rows
  try {
    return {
      ledger: await all<LedgerRow>(
        'select key, project_id, (extract(epoch from began_at) * 1000)::float8 as began from faults_ledger',
      ),
      events: await all<EventRow>(`select id, type || '/' || subject_id as key, project_id from events`),
      deliveries: await all<DeliveryRow>(
        `select id, webhook_id, event_id, kind, status, attempts, replay_id,
           (extract(epoch from finished_at) * 1000)::float8 as finished from deliveries`,
      ),
      attempts: await all<AttemptRow>(
        `select a.delivery_id, d.webhook_id, a.number, a.status, a.error
         from attempts a join deliveries d on d.id = a.delivery_id`,
      ),
      ...(await readReceived(receiver.log)),
    }
  } finally {
    await client.end()
  }
}

/** What is still owed to healthy receivers, by the service's own books. */
export interface Backlog {
  pending: number
  /** Seconds until the last of them is due: what the retry ladder and the breaker have decided already. */
  owedSeconds: number
}

export async function readBacklog(client: pg.Client, webhookIds: readonly string[]): Promise<Backlog> {
  const { rows } = await client.query<Backlog>(
    `select count(*)::integer as pending,
       greatest(0, extract(epoch from max(greatest(d.due_at, l.trial_at)) - now()))::float8 as "owedSeconds"
     from parley.deliveries d join parley.endpoint_queues l on l.webhook_id = d.webhook_id
     where d.status = 'pending' and d.webhook_id = any($1)`,
    [webhookIds],
  )
  return { pending: rows[0]?.pending ?? 0, owedSeconds: rows[0]?.owedSeconds ?? 0 }
}
