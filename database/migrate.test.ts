import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, type TestContext, test } from 'node:test'
import pg from 'pg'
import { createLog } from '../platform/log.ts'
import { startProxy } from '../test/chaos/framework/tcp-proxy.ts'
import { emptyDatabase, type TestDatabase } from '../test/support/database.ts'
import { until } from '../test/support/webhooks.ts'
import { isDatabaseAway } from './database.ts'
import { type MigrateOptions, MigrationChanged, migrate, SchemaTooNew } from './migrate.ts'

const log = createLog('silent')
let database: TestDatabase
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrations-'))
})
after(() => rm(folder, { recursive: true }))
beforeEach(async () => {
  database = await emptyDatabase()
})
afterEach(() => database.drop())

/** Where nothing is said of them, a start's own limits hold. */
type Given = Partial<Pick<MigrateOptions, 'url' | 'log' | 'limits'>>

/** A folder with the first `count` of these, as a program of that version would carry. */
async function programWith(...files: string[]): Promise<(given?: Given) => Promise<void>> {
  const own = await mkdtemp(join(folder, 'program-'))
  await Promise.all(files.map((sql, index) => writeFile(join(own, `000${index + 1}_step.sql`), sql)))
  return (given) => migrate({ url: database.url, schema: 'parley', folder: own, log, ...given })
}

async function query(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: database.url, options: '-c search_path=parley' })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test('applies each migration once when ten processes start at the same time', async () => {
  const start = await programWith('create table things (id int)', 'insert into things values (1)')
  await Promise.all(Array.from({ length: 10 }, () => start()))
  assert.deepEqual(await query('select id from things'), [{ id: 1 }])
  assert.equal((await query('select 1 from migrations')).length, 2)
})

test('rolls back a failed migration and retries at the next start', async () => {
  const broken = await programWith('create table things (id int); select 1/0')
  await assert.rejects(broken(), /division by zero/)
  assert.deepEqual(await query("select to_regclass('things') as there"), [{ there: null }])
  const mended = await programWith('create table things (id int)')
  await mended()
})

test('runs an older program on a newer schema that supports it', async () => {
  const older = await programWith('create table things (id int)')
  const newer = await programWith('create table things (id int)', 'alter table things add column name text')
  await newer()
  await older()
})

test('rejects a schema that declares a higher minimum', async () => {
  const older = await programWith('create table things (id int)')
  const newer = await programWith(
    'create table things (id int)',
    '-- minimum: 2\nalter table things rename column id to key',
  )
  await newer()
  await assert.rejects(older(), SchemaTooNew)
  await newer()
})

test('fails if an applied migration was edited', async () => {
  await (await programWith('create table things (id int)'))()
  const edited = await programWith('create table things (id bigint)')
  await assert.rejects(edited(), MigrationChanged)
})

/** Another session, of which a test decides what it holds and for how long. */
async function otherSession(t: TestContext): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url, options: '-c search_path=parley' })
  // It is still there when its database is dropped.
  client.on('error', () => {})
  await client.connect()
  t.after(() => client.end())
  return client
}

const LOCK = "hashtext('parley-migrate:parley')"

test('does not wait for the lock if no migration is missing', async (t) => {
  const start = await programWith('create table things (id int)')
  await start()
  const other = await otherSession(t)
  await other.query(`select pg_advisory_lock(${LOCK})`)
  await start()
})

test('logs a warning while it waits for another process', async (t) => {
  const start = await programWith('create table things (id int)')
  const other = await otherSession(t)
  await other.query(`select pg_advisory_lock(${LOCK})`)
  const logged = Promise.withResolvers<string>()
  const started = start({
    log: createLog('warn', { write: (line) => logged.resolve(line) }),
    limits: { silence: 10_000, quietWait: 50 },
  })
  assert.match(await logged.promise, /Waiting for another process/)
  await other.query(`select pg_advisory_unlock(${LOCK})`)
  await started
})

test('closes a connection that goes silent while it holds the lock', async (t) => {
  await (await programWith('create table things (id int)'))()
  const url = new URL(database.url)
  const proxy = await startProxy({ host: url.hostname, port: Number(url.port) })
  t.after(() => proxy.stop())
  url.port = String(proxy.port)
  const other = await otherSession(t)
  // What was applied can be read, and not be noted.
  await other.query('begin; lock table migrations in share mode')
  const start = await programWith('create table things (id int)', 'create table more_things (id int)')
  const cut = assert.rejects(
    start({ url: url.href, limits: { silence: 300, quietWait: 10_000 } }),
    isDatabaseAway,
  )
  const waiting = async () => (await other.query('select from pg_locks where not granted')).rows.length
  await until(waiting, (count) => count > 0)
  proxy.set('black hole')
  await other.query('rollback')
  await cut
})

test('allows a migration to take longer than the silence limit', async () => {
  const start = await programWith('select pg_sleep(3)')
  await start({ limits: { silence: 1_000, quietWait: 10_000 } })
  assert.equal((await query('select 1 from migrations')).length, 1)
})

test('releases the lock of a crashed machine within a minute', async () => {
  const start = await programWith(`create table seen as select
    current_setting('tcp_keepalives_idle')::int as idle,
    current_setting('tcp_keepalives_interval')::int * current_setting('tcp_keepalives_count')::int as probing`)
  await start()
  assert.deepEqual(await query('select idle, probing from seen'), [{ idle: 30, probing: 30 }])
})
