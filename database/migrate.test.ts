import assert from 'node:assert/strict'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, beforeEach, type TestContext, test } from 'node:test'
import pg from 'pg'
import { newId } from '../platform/ids.ts'
import { createLog } from '../platform/log.ts'
import { startProxy } from '../test/chaos/framework/tcp-proxy.ts'
import { emptyDatabase, type TestDatabase } from '../test/support/database.ts'
import { unpackRelease } from '../test/support/release.ts'
import { until } from '../test/support/webhooks.ts'
import { isDatabaseUnavailable } from './database.ts'
import { type MigrateOptions, MigrationChanged, migrate, SchemaTooNew, SchemaTooOld } from './migrate.ts'

const log = createLog('silent')
const MIGRATIONS = join(import.meta.dirname, 'migrations')
let database: TestDatabase
const folder = await mkdtemp(join(tmpdir(), 'migrations-'))
after(() => rm(folder, { recursive: true }))
beforeEach(async () => {
  database = await emptyDatabase()
})
afterEach(() => database.drop())

/** Without limits, those of a start. */
type Given = Partial<Pick<MigrateOptions, 'url' | 'log' | 'limits'>>

/** A program that contains these migrations. */
async function programWith(...files: string[]): Promise<(given?: Given) => Promise<void>> {
  const own = await mkdtemp(join(folder, 'program-'))
  await Promise.all(files.map((sql, index) => writeFile(join(own, `000${index + 1}_step.sql`), sql)))
  return (given) => migrate({ url: database.url, schema: 'parley', folder: own, log, ...given })
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url, options: '-c search_path=parley' })
  // It can be open when its database is dropped.
  client.on('error', () => {})
  await client.connect()
  return client
}

async function query(text: string): Promise<Record<string, unknown>[]> {
  const client = await connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
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

/** Every object of the schema. Comments in function bodies are removed: migrations of the previous release differ in words. */
const CATALOG = `
  select 'relation' as kind, relname as name, concat_ws(' ', relkind, relpersistence, reloptions,
      pg_get_partkeydef(oid), pg_get_expr(relpartbound, oid), pg_get_indexdef(oid), obj_description(oid, 'pg_class')) as definition
    from pg_class where relnamespace = 'parley'::regnamespace
  union all select 'column', attrelid::regclass || '.' || attname, concat_ws(' ', attnum,
      format_type(atttypid, atttypmod), attnotnull, attstorage, attcompression, attidentity, attgenerated,
      pg_get_expr(adbin, adrelid), col_description(attrelid, attnum))
    from pg_attribute join pg_class on pg_class.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = 'parley'::regnamespace and attnum > 0 and relkind <> 'i'
  union all select 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
    from pg_constraint where connamespace = 'parley'::regnamespace and contype <> 'n'
  union all select 'function', oid::regprocedure::text, concat_ws(' ', obj_description(oid, 'pg_proc'),
      regexp_replace(regexp_replace(pg_get_functiondef(oid), '--[^\\n]*', '', 'g'), '\\s+', ' ', 'g'))
    from pg_proc where pronamespace = 'parley'::regnamespace
  union all select 'trigger', tgname, concat(pg_get_triggerdef(pg_trigger.oid), tgenabled)
    from pg_trigger join pg_class on pg_class.oid = tgrelid
    where relnamespace = 'parley'::regnamespace and not tgisinternal
  order by kind, name`

const migrateWith = (files: string) => migrate({ url: database.url, schema: 'parley', folder: files, log })

test('creates the schema that an upgrade of the previous release gets', async () => {
  unpackRelease(folder, 'server/kernel/migrations')
  await migrateWith(join(folder, 'server/kernel/migrations'))
  await migrateWith(MIGRATIONS)
  const upgraded = await query(CATALOG)
  await query('drop schema parley cascade')
  await migrateWith(MIGRATIONS)
  const created = await query(CATALOG)
  assert.deepEqual(created, upgraded)
  assert.deepEqual(
    [...Map.groupBy(created, ({ kind }) => kind).keys()],
    ['column', 'constraint', 'function', 'relation', 'trigger'],
  )
})

test('records all versions of a baseline, and accepts it at the next start', async () => {
  await migrateWith(MIGRATIONS)
  await migrateWith(MIGRATIONS)
  const versions = await query('select version, minimum from migrations where version <= 21 order by version')
  assert.deepEqual(
    versions.slice(0, 21),
    Array.from({ length: 21 }, (_, index) => ({ version: index + 1, minimum: 21 })),
  )
})

test('gives ids to the segments of an older version, and to the summaries that refer to them', async () => {
  const before = await mkdtemp(join(folder, 'before-'))
  for (const name of ['0021_baseline.sql', '0021_plain_names.sql'])
    await copyFile(join(MIGRATIONS, name), join(before, name))
  await migrateWith(before)
  const [c, p] = [newId(), newId()]
  const summary = {
    method: 'extractive',
    points: [
      { text: 'a', segments: ['0.1', 'w1', '0.0'] },
      { text: 'b', segments: [] },
    ],
  }
  await query(`
    insert into organisations (id, name) values ('${p}', 'O');
    insert into workspaces (id, organisation_id, name) values ('${p}', '${p}', 'W');
    insert into projects (id, workspace_id, name, language, languages, is_open, ask_name, ask_email, tags, hotwords)
      values ('${p}', '${p}', 'P', 'en', '[]', true, false, false, '[]', '[]');
    insert into conversations (id, project_id, status, source, summary)
      values ('${c}', '${p}', 'done', 'upload', '${JSON.stringify(summary)}');
    insert into segments (conversation_id, chunk_seq, position, start_ms, end_ms, text)
      values ('${c}', 0, 0, 0, 10, 'one'), ('${c}', 0, 1, 10, 20, 'two')`)
  await migrateWith(MIGRATIONS)
  const ids = (await query('select id from segments order by position')).map(({ id }) => id)
  assert.equal(new Set(ids).size, 2)
  assert.deepEqual(await query('select summary from conversations'), [
    {
      summary: {
        ...summary,
        points: [
          { text: 'a', segments: [ids[1], 'w1', ids[0]] },
          { text: 'b', segments: [] },
        ],
      },
    },
  ])
})

test('gives short codes to the projects of an older version, and codes to their conversations', async () => {
  const before = await mkdtemp(join(folder, 'before-'))
  for (const name of ['0021_baseline.sql', '0021_plain_names.sql'])
    await copyFile(join(MIGRATIONS, name), join(before, name))
  await migrateWith(before)
  const id = newId()
  await query(`
    insert into organisations (id, name) values ('${id}', 'O');
    insert into workspaces (id, organisation_id, name) values ('${id}', '${id}', 'W');
    insert into projects (id, workspace_id, name, language, languages, is_open, ask_name, ask_email, tags, hotwords)
      select gen_random_uuid(), '${id}', 'P', 'en', '[]', true, false, false, '[]', '[]' from generate_series(1, 20);
    insert into conversations (id, project_id, status, source)
      select gen_random_uuid(), p.id, 'done', 'upload' from projects p, generate_series(1, 50)`)
  await migrateWith(MIGRATIONS)
  const code = '^[2-9A-HJKMNP-TV-Z]{8}$'
  assert.deepEqual(
    await query(
      `select count(distinct short_code)::int as count, bool_and(short_code ~ '${code}') as fine from projects`,
    ),
    [{ count: 20, fine: true }],
  )
  assert.deepEqual(
    await query(
      `select count(distinct (project_id, code))::int as count, bool_and(code ~ '${code}') as fine from conversations`,
    ),
    [{ count: 1000, fine: true }],
  )
})

test('names the release to install first if the database is older or unknown', async () => {
  const refused = (error: Error) =>
    error instanceof SchemaTooOld && /Install release 0\.1\.0/.test(error.message)
  await (await programWith('create table things (id int)'))()
  await assert.rejects(migrateWith(MIGRATIONS), refused)
  await query('drop table migrations')
  await assert.rejects(migrateWith(MIGRATIONS), refused)
})

/** Another session, which can hold locks until the end of a test. */
async function otherSession(t: TestContext): Promise<pg.Client> {
  const client = await connect()
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
    limits: { idleTimeoutMs: 10_000, lockWarningMs: 50 },
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
  // The table can be read, but not written.
  await other.query('begin; lock table migrations in share mode')
  const start = await programWith('create table things (id int)', 'create table more_things (id int)')
  const cut = assert.rejects(
    start({ url: url.href, limits: { idleTimeoutMs: 300, lockWarningMs: 10_000 } }),
    isDatabaseUnavailable,
  )
  const waiting = async () => (await other.query('select from pg_locks where not granted')).rows.length
  await until(waiting, (count) => count > 0)
  proxy.set('black hole')
  await other.query('rollback')
  await cut
})

test('allows a migration to take longer than the idle timeout', async () => {
  const start = await programWith('select pg_sleep(3)')
  await start({ limits: { idleTimeoutMs: 1_000, lockWarningMs: 10_000 } })
  assert.equal((await query('select 1 from migrations')).length, 1)
})

test('releases the lock of a crashed machine within a minute', async () => {
  const start = await programWith(`create table seen as select
    current_setting('tcp_keepalives_idle')::int as idle,
    current_setting('tcp_keepalives_interval')::int * current_setting('tcp_keepalives_count')::int as probing`)
  await start()
  assert.deepEqual(await query('select idle, probing from seen'), [{ idle: 30, probing: 30 }])
})
