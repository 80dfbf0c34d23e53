import { Kysely, type Transaction as KyselyTransaction, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { faultPoint } from '../platform/fault-points.ts'
import { openPipelinedQueries, type PipelinedQueries } from './pipelined-queries.ts'
import { PreparingClient } from './prepared-statements.ts'
import { cutWhenSilent } from './socket-watchdog.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>
/** A transaction as a value: whoever holds one writes into it, and its opener commits. */
export type Tx = KyselyTransaction<Tables>

export interface DatabaseOptions {
  url: string
  /** The PostgreSQL schema our tables live in; it is the whole search path. */
  schema: string
  /** Connections at most. */
  max?: number
  applicationName: string
  /** More settings of each connection, like `enable_seqscan`. */
  parameters?: Record<string, string>
  /** Where the service's own would be wrong. */
  limits?: Partial<DatabaseLimits>
}

/** In milliseconds. */
export interface DatabaseLimits {
  /** For a connection, be it a new one or one that others have to give back. */
  connect: number
  /** A statement that runs longer is a bug or a lock that nobody releases: the server ends it. */
  statement: number
  /** Longer than any statement may run: a connection that is asked and silent for so long will not answer any more, and is cut. */
  silence: number
  /** A transaction whose program died half-way must not hold its locks. */
  idleInTransaction: number
}

export interface Database<T = Tables> {
  pool: pg.Pool
  db: Kysely<T>
  /** For the statements of the hot path: named, and pipelined over connections of their own. */
  pipelined: PipelinedQueries
  close(): Promise<void>
}

const LIMITS: DatabaseLimits = {
  connect: 5_000,
  statement: 10_000,
  silence: 12_000,
  idleInTransaction: 15_000,
}

/** Timestamps leave as ISO 8601 with `Z` and milliseconds; counts (bigint) as numbers. */
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => new Date(isoOf(text)).toISOString())
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** `2026-01-31 10:00:00+00` with what ISO 8601 asks for: otherwise JavaScript guesses, and takes the year 50 for 1950. */
const isoOf = (text: string): string => `${text.replace(' ', 'T')}${/[+-]\d\d$/.test(text) ? ':00' : ''}`

export function openDatabase<T = Tables>(options: DatabaseOptions): Database<T> {
  const limits = { ...LIMITS, ...options.limits }
  const config = {
    connectionString: options.url,
    options: connectionOptions(options),
    application_name: options.applicationName,
    connectionTimeoutMillis: limits.connect,
    statement_timeout: limits.statement,
    idle_in_transaction_session_timeout: limits.idleInTransaction,
    keepAlive: true,
  }
  const pool = new pg.Pool({ ...config, Client: PreparingClient, max: options.max ?? 10 })
  // An idle connection that breaks reports here; without a listener it would end the process. The next query reconnects.
  pool.on('error', () => {})
  // One in use reports twice: to its query, and here.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('connect', (client) => cutWhenSilent(client, limits.silence))
  const db = new Kysely<T>({ dialect: new PostgresDialect({ pool }) })
  const pipelined = openPipelinedQueries(
    { ...config, options: connectionOptions(keepingPlans(options)) },
    limits.silence,
  )
  return {
    pool,
    db,
    pipelined,
    close: async () => {
      await pipelined.close()
      await db.destroy()
    },
  }
}

/** A statement that takes a list would be planned at each look-up: PostgreSQL takes it for ten, and finds one cheaper. */
const keepingPlans = (options: DatabaseOptions): DatabaseOptions => ({
  ...options,
  parameters: { plan_cache_mode: 'force_generic_plan', ...options.parameters },
})

/** Compiling plans (JIT) costs more than our short statements take. Old times have odd offsets, in seconds, where it is not UTC. */
function connectionOptions({ schema, parameters = {} }: DatabaseOptions): string {
  const all = { search_path: schema, jit: 'off', TimeZone: 'UTC', ...parameters }
  return Object.entries(all)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const MOST_TRIES = 3

/** Runs `work` in one transaction; a deadlock or serialisation failure is tried again, since PostgreSQL undid all of it. */
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
      if ((code !== SERIALIZATION_FAILURE && code !== DEADLOCK) || attempt === MOST_TRIES) throw error
    }
  }
}

/** For a transaction in which something else takes long, such as the copy of a large file. */
export const letIdle = async (tx: Tx, minutes: number): Promise<void> =>
  void (await sql`select set_config('idle_in_transaction_session_timeout', ${`${minutes}min`}, true)`.execute(
    tx,
  ))

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === '23505'

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  // The name server is away.
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOENT',
])
const CONNECTION_TEXT =
  /connection terminated|connection timeout|timeout expired|timeout exceeded when trying to connect|query read timeout|client was closed|not queryable/i

/** The database is away, starting, stopping or overloaded: the caller should try again, and our data is as it was. */
export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error)
  // 08 connection, 53 resources, 57 operator intervention (shutdown, statement timeout), 55P03 lock timeout.
  if (code !== undefined && (/^(08|53|57)/.test(code) || code === '55P03' || NETWORK_CODES.has(code)))
    return true
  return error instanceof Error && CONNECTION_TEXT.test(error.message)
}
