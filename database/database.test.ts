import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { startProxy } from '../test/chaos/framework/tcp-proxy.ts'
import { testDatabase } from '../test/support/database.ts'
import { until } from '../test/support/webhooks.ts'
import { type DatabaseOptions, inTransaction, isDatabaseUnavailable, openDatabase } from './database.ts'
import { prepared } from './prepared-statements.ts'

const database = await testDatabase()
const OPTIONS = { url: database.url, schema: 'parley', applicationName: 'test' }
const opened = openDatabase(OPTIONS)
after(async () => {
  await opened.close()
  await database.drop()
})

function open(t: TestContext, options: Partial<DatabaseOptions> = {}) {
  const own = openDatabase({ ...OPTIONS, ...options })
  t.after(async () => {
    if (!own.pool.ended) await own.close()
  })
  return own
}

async function startProxyToDatabase(t: TestContext) {
  const url = new URL(database.url)
  const proxy = await startProxy({ host: url.hostname, port: Number(url.port) })
  t.after(() => proxy.stop())
  url.port = String(proxy.port)
  return { proxy, url: url.href }
}

test('reads timestamps as ISO 8601 with Z and milliseconds, and counts as numbers', async () => {
  const { rows } = await opened.pool.query(
    "select '2026-01-02 03:04:05.6+02'::timestamptz as at, count(*) from organisations",
  )
  assert.deepEqual(rows[0], { at: '2026-01-02T01:04:05.600Z', count: 0 })
})

test('reads timestamps of any century unchanged, in any time zone of the server', async (t) => {
  await opened.pool.query(
    `alter database "${new URL(database.url).pathname.slice(1)}" set TimeZone = 'Europe/Amsterdam'`,
  )
  const { pool } = open(t)
  for (const time of ['0050-06-01T00:00:00.000Z', '1850-06-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'])
    assert.equal((await pool.query('select $1::timestamptz as at', [time])).rows[0].at, time)
})

test('retries the transaction that a deadlock rolled back', async () => {
  const insert = (id: string) =>
    sql`insert into organisations (id, name) values (${id}, 'x')`.execute(opened.db)
  const ids = ['01890000-0000-7000-8000-000000000001', '01890000-0000-7000-8000-000000000002'] as const
  await Promise.all(ids.map(insert))
  const met = Promise.withResolvers<void>()
  let waiting = 0
  const rename = (first: string, second: string) =>
    inTransaction(opened.db, async (tx) => {
      await sql`update organisations set name = name || '1' where id = ${first}`.execute(tx)
      if (++waiting === 2) met.resolve()
      await met.promise
      await sql`update organisations set name = name || '2' where id = ${second}`.execute(tx)
    })
  await Promise.all([rename(ids[0], ids[1]), rename(ids[1], ids[0])])
  const { rows } = await sql<{ name: string }>`select name from organisations order by id`.execute(opened.db)
  assert.deepEqual(
    rows.map(({ name }) => name.length),
    [3, 3],
  )
})

test('returns each pipelined query its own result, also after one that fails', async () => {
  const lookUp = (value: string) =>
    opened.pipelined.query<{ n: number }>({ name: 'echo', text: 'select $1::int as n', values: [value] })
  const results = await Promise.allSettled(
    Array.from({ length: 200 }, (_, n) => lookUp(n % 10 === 7 ? 'seven' : String(n))),
  )
  results.forEach((result, n) => {
    if (n % 10 === 7) assert.equal(result.status, 'rejected')
    else assert.equal(result.status === 'fulfilled' && result.value.rows[0]?.n, n)
  })
})

async function openThroughProxy(t: TestContext) {
  const { proxy, url } = await startProxyToDatabase(t)
  const { pool, pipelined, close } = open(t, { url, max: 1, limits: { idleTimeoutMs: 300 } })
  const lookUp = (n: number) => pipelined.query<{ n: number }>({ text: 'select $1::int as n', values: [n] })
  return { pool, lookUp, proxy, close }
}

test('closes a connection that goes silent during a statement, and opens another for the next', async (t) => {
  const { pool, lookUp, proxy } = await openThroughProxy(t)
  await Promise.all([pool.query('select 1'), lookUp(1), lookUp(1)])
  proxy.set('black hole')
  const pending = [pool.query('select 2'), ...Array.from({ length: 6 }, () => lookUp(2))]
  for (const result of await Promise.allSettled(pending)) {
    assert.ok(result.status === 'rejected' && isDatabaseUnavailable(result.reason))
  }
  proxy.set('pass')
  assert.equal((await pool.query('select 3 as n')).rows[0].n, 3)
  assert.deepEqual(
    (await Promise.all([lookUp(4), lookUp(5)])).map(({ rows }) => rows[0]?.n),
    [4, 5],
  )
})

test('closes a connection that goes silent in the middle of a result', async (t) => {
  const { pool, proxy } = await openThroughProxy(t)
  const rows = pool.query("select repeat('x', 20_000), pg_sleep(0.02) from generate_series(1, 200)")
  await until(
    async () => proxy.bytesFromServer(),
    (bytes) => bytes > 100_000,
  )
  proxy.set('black hole')
  await assert.rejects(rows, isDatabaseUnavailable)
})

// The reason for the watchdog (docs/decisions/0012-database-client.md). If this fails, check whether query_timeout is enough.
test('Kysely with query_timeout alone keeps using a silent connection', async (t) => {
  const { proxy, url } = await startProxyToDatabase(t)
  const pool = new pg.Pool({ connectionString: url, max: 1, query_timeout: 300 })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  t.after(() => db.destroy())
  await sql`select 1`.execute(db)
  proxy.set('black hole')
  await assert.rejects(sql`select 2`.execute(db), /Query read timeout/)
  proxy.set('pass')
  await assert.rejects(sql`select 3`.execute(db), /Query read timeout/)
})

test('closes a silent connection although more and more queries are sent', async (t) => {
  const { lookUp, proxy } = await openThroughProxy(t)
  await Promise.all([lookUp(1), lookUp(1)])
  proxy.set('black hole')
  const queries: Promise<string>[] = []
  const send = () =>
    queries.push(lookUp(2).then(String, (error) => (isDatabaseUnavailable(error) ? 'away' : error)))
  const timer = setInterval(send, 20)
  t.after(() => clearInterval(timer))
  send()
  assert.equal(await Promise.race([queries[0], pause(20_000, 'silence', { ref: false })]), 'away')
  clearInterval(timer)
  proxy.set('pass')
  await Promise.all(queries)
  assert.deepEqual((await lookUp(3)).rows, [{ n: 3 }])
})

test('ends an idle transaction', async (t) => {
  const { db } = open(t, { limits: { idleInTransaction: 200 } })
  const idle = inTransaction(db, async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await until(
      () => opened.pool.query('select from pg_stat_activity where pid = $1', [rows[0]?.pid]),
      ({ rowCount }) => rowCount === 0,
    )
    await sql`select 1`.execute(tx)
  })
  await assert.rejects(idle, isDatabaseUnavailable)
})

test('recognises an unreachable name server, host or network as an unreachable database', () => {
  for (const code of ['EAI_AGAIN', 'ENOTFOUND', 'ECONNREFUSED', 'EHOSTDOWN', 'ENETUNREACH'])
    assert.ok(isDatabaseUnavailable(Object.assign(new Error('connect'), { code })), code)
  assert.equal(isDatabaseUnavailable(Object.assign(new Error('write'), { code: 'ENOSPC' })), false)
})

test('can close silent connections', async (t) => {
  const { pool, lookUp, proxy, close } = await openThroughProxy(t)
  await Promise.all([pool.query('select 1'), lookUp(1), lookUp(1)])
  proxy.set('black hole')
  await close()
})

test('plans a prepared statement once per connection, and each statement separately', async (t) => {
  const one = open(t, { max: 1 })
  const add = async (n: number) => {
    const sum = sql<{ sum: number }>`${prepared} select ${n}::integer + 1 as sum`
    return (await sum.execute(one.db)).rows[0]?.sum
  }
  const take = sql<{ rest: number }>`${prepared} select ${5}::integer - 1 as rest`
  assert.deepEqual([await add(1), await add(2), await add(3)], [2, 3, 4])
  assert.equal((await take.execute(one.db)).rows[0]?.rest, 4)
  const { rows } = await one.pool.query(
    'select generic_plans + custom_plans as runs from pg_prepared_statements order by runs',
  )
  assert.deepEqual(rows, [{ runs: 1 }, { runs: 3 }])
})

// The reason for the marker (docs/decisions/0012-database-client.md). If this fails, Kysely can name statements.
test('Kysely alone prepares no statement', async () => {
  const pool = new pg.Pool({ connectionString: database.url, max: 1 })
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  await sql`${prepared} select ${1}::integer`.execute(db)
  const { rows } = await pool.query('select count(*) as statements from pg_prepared_statements')
  assert.deepEqual(rows, [{ statements: 0 }])
  await db.destroy()
})
