import type { Cluster } from '../framework/cluster.ts'
import { type Received, type Receiver, readReceived, type UnknownPath } from './receiver.ts'

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

/** Three independent sources: the ledger, the tables of the service, and the log of the receivers. */
export interface Evidence {
  ledger: LedgerRow[]
  events: EventRow[]
  deliveries: DeliveryRow[]
  attempts: AttemptRow[]
  received: Received[]
  unknownPaths: UnknownPath[]
}

/** The producer writes it in the transaction of each event: it shows which events were committed. */
export const createLedger = ({ query }: Cluster): Promise<unknown> =>
  query(`create table chaos_ledger (
    key text primary key, project_id uuid not null, began_at timestamptz not null default now())`)

export const readEvidence = async (cluster: Cluster, receiver: Receiver): Promise<Evidence> => ({
  ledger: await cluster.query<LedgerRow>(
    'select key, project_id, (extract(epoch from began_at) * 1000)::float8 as began from chaos_ledger',
  ),
  ...(await readLog(cluster, receiver)),
})

/** Without the ledger, where another source shows which events were committed. */
export const readLog = async (
  { query }: Pick<Cluster, 'query'>,
  receiver: Receiver,
): Promise<Omit<Evidence, 'ledger'>> => ({
  events: await query<EventRow>(`select id, type || '/' || subject_id as key, project_id from events`),
  deliveries: await query<DeliveryRow>(
    `select id, webhook_id, event_id, kind, status, attempts, replay_id,
       (extract(epoch from finished_at) * 1000)::float8 as finished from deliveries`,
  ),
  attempts: await query<AttemptRow>(
    `select a.delivery_id, d.webhook_id, a.number, a.status, a.error
     from attempts a join deliveries d on d.id = a.delivery_id`,
  ),
  ...(await readReceived(receiver.log)),
})

/** The pending deliveries to these webhooks. */
export interface Backlog {
  pending: number
  /** Until the last of them is due, as the retry schedule and the circuit breaker have already decided. */
  delaySeconds: number
}

export async function readBacklog(
  { query }: Pick<Cluster, 'query'>,
  webhookIds: readonly string[],
): Promise<Backlog> {
  const [backlog] = await query<Backlog>(
    `select count(*)::integer as pending,
       coalesce(greatest(0, extract(epoch from max(greatest(d.due_at, l.trial_at)) - now())), 0)::float8 as "delaySeconds"
     from deliveries d join endpoint_queues l on l.webhook_id = d.webhook_id
     where d.status = 'pending' and d.webhook_id = any($1)`,
    [webhookIds],
  )
  return backlog as Backlog
}
