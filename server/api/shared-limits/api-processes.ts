import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { newId } from '../../../platform/ids.ts'
import type { Metrics } from '../../../platform/metrics.ts'

/** The API processes on one database. Limits are shared only while there are several. */
export interface ApiProcesses {
  /** The id of this process. */
  id: string
  /** How many are alive, this one included. 1 while the database is away: then each process applies its limits alone. */
  count(): number
  /** After an error of the database: this process is alone until it has renewed its lease. */
  markAway(): void
  /** `listener` is called after each renewal of the lease while there are several processes. */
  onRenewal(listener: (renewal: Renewal) => unknown): void
  stop(): Promise<void>
}

interface Renewal {
  /** Whether the row of this process was missing, and with it all slots: after a crash of PostgreSQL, or an expired lease. */
  isNew: boolean
  /** Slots of this process that another process waits for. */
  wanted: string[]
}

const RENEWAL_MS = 1_000
/** A busy machine has paused for 5 s. */
const LEASE_SECONDS = 10

interface Parts {
  pool: pg.Pool
  metrics: Metrics
  /** Overrides the 10 seconds of a lease; for tests. */
  leaseSeconds?: number
}

/** One statement a second, whatever the load is. */
export function joinApiProcesses({ pool, metrics, leaseSeconds = LEASE_SECONDS }: Parts): ApiProcesses {
  const id = newId()
  const listeners: ((renewal: Renewal) => unknown)[] = []
  const stopping = new AbortController()
  let count = 1
  metrics.gauge(
    'parley_api_processes',
    'API processes that share rate limits, as this one sees them',
    () => count,
    'max',
  )

  async function renew(): Promise<void> {
    const { rows } = await pool.query<Renewal & { others: number }>(
      `with renewed as (
         insert into api_processes values ($1, clock_timestamp() + make_interval(secs => $2))
         on conflict (id) do update set lease_until = excluded.lease_until
         returning xmax = 0 as is_new
       ), dead as (
         delete from api_processes where id in (
           select id from api_processes where lease_until < now() - interval '1 minute' for update skip locked
         )
       )
       select is_new as "isNew",
         (select count(*) from api_processes where id <> $1 and lease_until > now()) as others,
         array(select id from held_slots where process_id = $1 and wanted) as wanted
       from renewed`,
      [id, leaseSeconds],
    )
    const { others, ...renewal } = rows[0] as Renewal & { others: number }
    count = 1 + others
    if (count > 1) for (const listener of listeners) listener(renewal)
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await renew().catch(() => {
        count = 1
      })
      await pause(RENEWAL_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }

  const running = run()
  return {
    id,
    count: () => count,
    markAway: () => {
      count = 1
    },
    onRenewal: (listener) => void listeners.push(listener),
    stop: async () => {
      stopping.abort()
      const leave = async () => {
        await running
        count = 1
        await pool.query('delete from api_processes where id = $1', [id]).catch(() => {})
      }
      // Without the database, the lease ends soon enough.
      await Promise.race([leave(), pause(RENEWAL_MS, undefined, { ref: false })])
    },
  }
}
