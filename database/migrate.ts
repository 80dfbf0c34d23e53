import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from '../platform/log.ts'
import { StartupError } from '../platform/startup-error.ts'
import { type DatabaseClient, databaseClient } from './client.ts'

/** One numbered SQL file, `0022_invitations.sql`. */
interface Migration {
  version: number
  name: string
  sql: string
  checksum: string
  /** From `-- minimum: N`: programs that know fewer migrations than N can't run on the schema any more. */
  minimum: number
  /** `0021_baseline.sql` creates the schema of version 21 in a new database. */
  isBaseline: boolean
}

export interface MigrateOptions {
  url: string
  /** PostgreSQL schema to create and fill. */
  schema: string
  folder: string
  log: Logger
  /** Overrides the defaults. */
  limits?: MigrateLimits
}

/** In milliseconds. */
interface MigrateLimits {
  /** Only migrations take long: for other statements, a connection without a response for this long is closed. */
  idleTimeoutMs: number
  /** After this wait for the lock, and then at this interval, a warning is logged. */
  lockWarningMs: number
}

const LIMITS: MigrateLimits = { idleTimeoutMs: 10_000, lockWarningMs: 10_000 }
const LOCK_RETRY_MS = 100

/** So that both sides notice a crash of the other within a minute, not after 2 hours. PostgreSQL ignores this on Unix sockets. */
const KEEP_ALIVE = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 30_000,
  options: '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3',
}

/** The database needs a newer program. */
export class SchemaTooNew extends StartupError {
  override name = 'SchemaTooNew'
}

/** Another release has to upgrade the database first. */
export class SchemaTooOld extends StartupError {
  override name = 'SchemaTooOld'
}

export class MigrationChanged extends StartupError {
  override name = 'MigrationChanged'
}

/**
 * Applies missing migrations. Several processes can start at the same time: an advisory lock lets one work while the others
 * wait; a process that finds nothing missing does not wait. Migrations expand first and contract later, so that two versions
 * of the program can run side by side: a schema with unknown migrations is accepted, unless it declares a higher minimum.
 */
export async function migrate({ url, schema, folder, log, limits = LIMITS }: MigrateOptions): Promise<void> {
  const migrations = await readMigrations(folder)
  const client = new (databaseClient(limits.idleTimeoutMs))({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    application_name: 'parley-migrate',
    ...KEEP_ALIVE,
  })
  // The failing statement reports a lost connection; without this listener the event would end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    if ((await findMissing(client, schema, migrations)).length === 0) return
    await takeLock(client, schema, limits.lockWarningMs, log)
    await createTable(client, schema)
    const missing = await findMissing(client, schema, migrations)
    for (const migration of missing) await apply(client, migration, log)
    log.info({ component: schema, count: missing.length }, 'Database migrations applied')
  } finally {
    // Ending the session releases the lock.
    await client.end()
  }
}

/** The migrations to apply, in order. Throws if this program cannot run on the schema. */
async function findMissing(client: pg.Client, schema: string, migrations: Migration[]): Promise<Migration[]> {
  const tables = await client.query('select tablename from pg_tables where schemaname = $1', [schema])
  const { rows } = tables.rows.some(({ tablename }) => tablename === 'migrations')
    ? await client.query<{ version: number; checksum: string; minimum: number }>(
        `select version, checksum, minimum from ${schema}.migrations`,
      )
    : { rows: [] }
  const known = migrations.at(-1)?.version ?? 0
  const minimum = Math.max(0, ...rows.map((row) => row.minimum))
  if (minimum > known)
    throw new SchemaTooNew(
      `The database requires a version with migration ${minimum}; this version ends at migration ${known}. Start a newer version.`,
    )

  const applied = new Map(rows.map((row) => [row.version, row.checksum]))
  const numbered = migrations.filter(({ isBaseline }) => !isBaseline)
  const baseline = migrations.find(({ isBaseline }) => isBaseline)
  if (baseline) {
    const isNew = rows.length === 0 && tables.rows.every(({ tablename }) => tablename === 'migrations')
    if (isNew) return [baseline, ...numbered.filter(({ version }) => version > baseline.version)]
    const oldest = (numbered[0]?.version ?? known + 1) - 1
    const [, release] = /^-- previous release: (.+)$/m.exec(baseline.sql) ?? []
    if (!applied.has(oldest))
      throw new SchemaTooOld(
        `The database is older than migration ${oldest}, or has tables of another program. Install release ${release}, start it once on the database, then install this version.`,
      )
  }
  return numbered.filter(({ version, name, checksum }) => {
    const there = applied.get(version)
    const isFromBaseline = version === baseline?.version && there === baseline.checksum
    if (there !== undefined && there !== checksum && !isFromBaseline)
      throw new MigrationChanged(
        `Migration ${name} was applied with different content. Migrations are never edited: add a new one.`,
      )
    return there === undefined
  })
}

/** Polls instead of waiting for the lock, to distinguish a long wait from a dead connection. */
async function takeLock(
  client: pg.Client,
  schema: string,
  lockWarningMs: number,
  log: Logger,
): Promise<void> {
  const name = `parley-migrate:${schema}`
  let warnAt = performance.now() + lockWarningMs
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock(hashtext($1)) as mine', [name])
    if (rows[0].mine) return
    if (performance.now() > warnAt) {
      log.warn({ component: schema }, 'Waiting for another process that is migrating the database')
      warnAt += lockWarningMs
    }
    await pause(LOCK_RETRY_MS)
  }
}

async function createTable(client: pg.Client, schema: string): Promise<void> {
  await client.query(`create schema if not exists ${schema}`)
  await client.query(`set search_path = ${schema}`)
  await client.query(`create table if not exists migrations (
    version integer primary key, name text not null, checksum text not null,
    minimum integer not null, applied_at timestamptz not null default now())`)
}

/** The SQL of a migration has no time limit. */
async function apply(client: DatabaseClient, migration: Migration, log: Logger): Promise<void> {
  await client.query('begin')
  try {
    client.watchdog.isPaused = true
    await client.query(migration.sql).finally(() => {
      client.watchdog.isPaused = false
    })
    const { version, name, checksum, minimum, isBaseline } = migration
    await client.query(
      'insert into migrations (version, name, checksum, minimum) select n, $3, $4, $5 from generate_series($1::int, $2) n',
      [isBaseline ? 1 : version, version, name, checksum, minimum],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
  log.debug({ migration: migration.name }, 'Migration applied')
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file)).sort()
  const migrations = await Promise.all(
    files.map(async (file) => toMigration(file, await readFile(join(folder, file), 'utf8'))),
  )
  const numbered = migrations.filter(({ isBaseline }) => !isBaseline)
  const first = numbered.length < migrations.length ? numbered[0]?.version : 1
  numbered.forEach((migration, index) => {
    if (migration.version !== Number(first) + index)
      throw new Error(`Migration ${migration.name} breaks the numbering of ${folder}`)
  })
  return migrations
}

function toMigration(file: string, sql: string): Migration {
  return {
    version: Number(file.slice(0, 4)),
    name: file.replace(/\.sql$/, ''),
    sql,
    checksum: createHash('sha256').update(sql).digest('hex'),
    minimum: Number(/^-- minimum: (\d+)$/m.exec(sql)?.[1] ?? 0),
    isBaseline: file.endsWith('_baseline.sql'),
  }
}
