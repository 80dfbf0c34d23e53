import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '../platform/log.ts'
import { cutWhenSilent } from './socket-watchdog.ts'

/** One numbered SQL file, `0003_invitations.sql`. */
interface Migration {
  version: number
  name: string
  sql: string
  checksum: string
  /** From `-- minimum: N`: programs that know fewer migrations than N can't run on the schema any more. */
  minimum: number
}

export interface MigrateOptions {
  url: string
  /** PostgreSQL schema to create and fill. */
  schema: string
  folder: string
  log: Logger
  /** Where the service's own would be wrong. */
  limits?: MigrateLimits
}

/** In milliseconds. */
interface MigrateLimits {
  /** Other than a migration, nothing here takes time: a connection that says nothing meanwhile has been black-holed. */
  silence: number
  /** Whoever waits for the lock for longer says so, again and again. */
  quietWait: number
}

const LIMITS: MigrateLimits = { silence: 10_000, quietWait: 10_000 }
const ASK_AGAIN_MS = 100

/**
 * A start that died without a word would keep the lock for 2 hours, and one that is in the middle of a long migration would not
 * hear that the server did: both ends look after a minute. Over a Unix socket PostgreSQL ignores its settings.
 */
const KEEP_ALIVE = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 30_000,
  options: '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3',
}

export class SchemaTooNew extends Error {
  constructor(minimum: number, known: number) {
    super(
      `The database needs a program that knows migration ${minimum}; this one knows ${known}. Start a newer version of the program.`,
    )
    this.name = 'SchemaTooNew'
  }
}

export class MigrationChanged extends Error {
  constructor(name: string) {
    super(`Migration ${name} was applied with another content. Migrations are never edited: add a new one.`)
    this.name = 'MigrationChanged'
  }
}

/**
 * Brings a schema up to date. Safe when several processes start at once: an advisory lock lets one work while the
 * others wait and then find nothing to do; whoever finds nothing to do at once does not wait. Changes expand first and
 * contract later, so that two versions of the program can run side by side: a schema with more migrations than we know
 * is fine, unless it declares a higher minimum.
 */
export async function migrate({ url, schema, folder, log, limits = LIMITS }: MigrateOptions): Promise<void> {
  const migrations = await readMigrations(folder)
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    application_name: 'parley-migrate',
    ...KEEP_ALIVE,
  })
  // A server that stops meanwhile is told of by the statement that fails; without a listener it would end the process.
  client.on('error', () => {})
  await client.connect()
  const work = { isLong: false }
  cutWhenSilent(client, limits.silence, () => !work.isLong)
  try {
    if ((await findMissing(client, schema, migrations)).length === 0) return
    await takeLock(client, schema, limits.quietWait, log)
    await createTable(client, schema)
    const missing = await findMissing(client, schema, migrations)
    for (const migration of missing) await apply(client, migration, work, log)
    log.info({ component: schema, count: missing.length }, 'Database migrations applied')
  } finally {
    // Ending the session gives the lock back, whatever happened.
    await client.end()
  }
}

/** In their order. A schema that this program can't run on is refused. */
async function findMissing(client: pg.Client, schema: string, migrations: Migration[]): Promise<Migration[]> {
  const table = `${schema}.migrations`
  const { rowCount } = await client.query('select where to_regclass($1) is not null', [table])
  if (rowCount === 0) return migrations
  const { rows } = await client.query<{ version: number; checksum: string; minimum: number }>(
    `select version, checksum, minimum from ${table}`,
  )
  const known = migrations.at(-1)?.version ?? 0
  const minimum = Math.max(0, ...rows.map((row) => row.minimum))
  if (minimum > known) throw new SchemaTooNew(minimum, known)

  const applied = new Map(rows.map((row) => [row.version, row.checksum]))
  return migrations.filter(({ version, name, checksum }) => {
    const there = applied.get(version)
    if (there !== undefined && there !== checksum) throw new MigrationChanged(name)
    return there === undefined
  })
}

/** Asks again and again instead of waiting at the lock, so that a long wait and a dead connection can be told apart. */
async function takeLock(client: pg.Client, schema: string, quietWaitMs: number, log: Logger): Promise<void> {
  const name = `parley-migrate:${schema}`
  let sayAt = performance.now() + quietWaitMs
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock(hashtext($1)) as mine', [name])
    if (rows[0].mine) return
    if (performance.now() > sayAt) {
      log.warn(
        { component: schema },
        'this start waits for the lock of another one that migrates the database',
      )
      sayAt += quietWaitMs
    }
    await pause(ASK_AGAIN_MS)
  }
}

async function createTable(client: pg.Client, schema: string): Promise<void> {
  await client.query(`create schema if not exists ${schema}`)
  await client.query(`set search_path = ${schema}`)
  await client.query(`create table if not exists migrations (
    version integer primary key, name text not null, checksum text not null,
    minimum integer not null, applied_at timestamptz not null default now())`)
}

/** A migration's own SQL takes as long as it takes. */
async function apply(
  client: pg.Client,
  migration: Migration,
  work: { isLong: boolean },
  log: Logger,
): Promise<void> {
  await client.query('begin')
  try {
    work.isLong = true
    await client.query(migration.sql).finally(() => {
      work.isLong = false
    })
    await client.query('insert into migrations (version, name, checksum, minimum) values ($1, $2, $3, $4)', [
      migration.version,
      migration.name,
      migration.checksum,
      migration.minimum,
    ])
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
  migrations.forEach((migration, index) => {
    if (migration.version !== index + 1)
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
  }
}
