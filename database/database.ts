import { Kysely, type Transaction as KyselyTransaction, PostgresDialect } from 'kysely'
import pg from 'pg'
import { databaseClient } from './client.ts'
import { faultPoint } from './fault-points.ts'
import { openPipelinedQueries, type PipelinedQueries } from './pipelined-queries.ts'
import { monitorOf } from './primary-monitor.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>
/** A transaction as a value: the function that opened it commits. */
export type Tx = KyselyTransaction<Tables>

export interface DatabaseOptions {
  url: string
  /** Given if `url` leads to a pooler: the URL without it, for pipelined queries. See database/pooler.ts. */
  directUrl?: string | undefined
  /** The PostgreSQL schema of the tables; it is the whole search path. */
  schema: string
  /** The maximum number of connections. */
  max?: number
  applicationName: string
  /** Additional PostgreSQL settings of each connection, such as `enable_seqscan`. */
  parameters?: Record<string, string>
  /** Overrides the defaults. */
  limits?: Partial<DatabaseLimits>
}

/** In milliseconds. */
export interface DatabaseLimits {
  /** Time to open a connection, or to get one from the pool. */
  connect: number
  /** PostgreSQL cancels a longer statement: it is a bug, or waits for a lock that is never released. */
  statement: number
  /** Longer than `statement`. A connection without a response for this long is closed. */
  idleTimeoutMs: number
  /** So that a transaction of a crashed process does not keep its locks. */
  idleInTransaction: number
}

export interface Database<T = Tables> {
  pool: pg.Pool
  db: Kysely<T>
  /** Pipelined queries on separate connections, for named statements of the hot path. */
  pipelined: PipelinedQueries
  close(): Promise<void>
}

const LIMITS: DatabaseLimits = {
  connect: 5_000,
  statement: 10_000,
  idleTimeoutMs: 12_000,
  idleInTransaction: 15_000,
}

/** Timestamps are read as ISO 8601 with `Z` and milliseconds, counts (bigint) as numbers. */
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => new Date(isoOf(text)).toISOString())
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** Makes `2026-01-31 10:00:00+00` valid ISO 8601: otherwise JavaScript guesses, and reads the year 50 as 1950. */
const isoOf = (text: string): string => `${text.replace(' ', 'T')}${/[+-]\d\d$/.test(text) ? ':00' : ''}`

export function openDatabase<T = Tables>(options: DatabaseOptions): Database<T> {
  const limits = { ...LIMITS, ...options.limits }
  const isPooled = options.directUrl !== undefined
  const pooled = {
    connectionString: options.url,
    application_name: options.applicationName,
    connectionTimeoutMillis: limits.connect,
    keepAlive: true,
  }
  const config = {
    ...pooled,
    connectionString: options.directUrl ?? options.url,
    options: connectionOptions(options),
    statement_timeout: limits.statement,
    idle_in_transaction_session_timeout: limits.idleInTransaction,
  }
  const pool = new pg.Pool({
    ...(isPooled ? pooled : config),
    Client: databaseClient(limits.idleTimeoutMs, isPooled),
    max: options.max ?? 10,
  })
  // Errors of idle connections; without a listener they would end the process. The next query reconnects.
  pool.on('error', () => {})
  // A connection in use reports an error to its query and here.
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<T>({ dialect: new PostgresDialect({ pool }) })
  // PostgreSQL would plan a statement with an array on each run, because its generic plan assumes ten elements.
  const parameters = { plan_cache_mode: 'force_generic_plan', ...options.parameters }
  const pipelined = openPipelinedQueries(
    { ...config, options: connectionOptions({ ...options, parameters }) },
    limits.idleTimeoutMs,
  )
  return {
    pool,
    db,
    pipelined,
    close: async () => {
      await pipelined.close()
      await db.destroy()
      for (const url of [options.url, options.directUrl]) monitorOf(url)?.close()
    },
  }
}

/** JIT compilation takes longer than our short statements. UTC, because old timestamps have offsets in seconds in other zones. */
function connectionOptions({ schema, parameters = {} }: DatabaseOptions): string {
  const all = { search_path: schema, jit: 'off', TimeZone: 'UTC', ...parameters }
  return Object.entries(all)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const MAX_ATTEMPTS = 3

/** Runs `work` in one transaction. Retries after a deadlock or serialization failure, which PostgreSQL has rolled back. */
export async function inTransaction<T, R>(
  db: Kysely<T>,
  work: (tx: KyselyTransaction<T>) => Promise<R>,
): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      const result = await db.transaction().execute(async (tx) => {
        const done = await work(tx)
        faultPoint('before_commit')
        return done
      })
      faultPoint('after_commit')
      return result
    } catch (error) {
      const code = codeOf(error)
      if ((code !== SERIALIZATION_FAILURE && code !== DEADLOCK) || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === '23505'

/** `EAI_AGAIN`: the name server is unreachable. */
const NETWORK_CODE =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(HOST|NET)(UNREACH|DOWN)|ENOENT)$/
/**
 * SQLSTATE: 08 connection, 53 resources, 57 operator intervention (shutdown, statement timeout), 55P03 lock timeout, 25006 the
 * server is a standby.
 */
const AWAY_STATE = /^(08|53|57|55P03$|25006$)/
const CONNECTION_TEXT =
  /connection terminated|connection timeout|timeout expired|timeout exceeded when trying to connect|query read timeout|client was closed|not queryable/i

/** The database is unreachable, starting, stopping or overloaded. Nothing was changed; the caller can retry. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = codeOf(error) ?? ''
  if (AWAY_STATE.test(code) || NETWORK_CODE.test(code)) return true
  return error instanceof Error && CONNECTION_TEXT.test(error.message)
}
