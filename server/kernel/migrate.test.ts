import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import pg from 'pg'
import { emptyDatabase, type TestDatabase } from '../../test/support/database.ts'
import { createLog } from './log.ts'
import { MigrationChanged, migrate, SchemaTooNew } from './migrate.ts'

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

/** A folder with the first `count` of these, as a program of that version would carry. */
async function programWith(...files: string[]): Promise<() => Promise<void>> {
  const own = await mkdtemp(join(folder, 'program-'))
  await Promise.all(files.map((sql, index) => writeFile(join(own, `000${index + 1}_step.sql`), sql)))
  return () => migrate({ url: database.url, schema: 'parley', folder: own, log })
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

test('ten processes that start at once apply each migration once', async () => {
  const start = await programWith('create table things (id int)', 'insert into things values (1)')
  await Promise.all(Array.from({ length: 10 }, start))
  assert.deepEqual(await query('select id from things'), [{ id: 1 }])
  assert.equal((await query('select 1 from migrations')).length, 2)
})

test('a migration that fails leaves nothing behind and the next start tries again', async () => {
  const broken = await programWith('create table things (id int); select 1/0')
  await assert.rejects(broken, /division by zero/)
  assert.deepEqual(await query("select to_regclass('things') as there"), [{ there: null }])
  const mended = await programWith('create table things (id int)')
  await mended()
})

test('an older program runs on a newer schema that still carries it', async () => {
  const older = await programWith('create table things (id int)')
  const newer = await programWith('create table things (id int)', 'alter table things add column name text')
  await newer()
  await older()
})

test('an older program refuses a schema that declares a higher minimum', async () => {
  const older = await programWith('create table things (id int)')
  const newer = await programWith(
    'create table things (id int)',
    '-- minimum: 2\nalter table things rename column id to key',
  )
  await newer()
  await assert.rejects(older, SchemaTooNew)
  await newer()
})

test('a migration that was edited after it was applied stops the start', async () => {
  await (await programWith('create table things (id int)'))()
  await assert.rejects(await programWith('create table things (id bigint)'), MigrationChanged)
})
