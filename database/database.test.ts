import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { startProxy } from '../test/chaos/framework/tcp-proxy.ts'
import { type TestDatabase, testDatabase } from '../test/support/database.ts'
import { type Database, inTransaction, isDatabaseAway, letIdle, openDatabase, type Tx } from './database.ts'
import { prepared } from './prepared-statements.ts'

let database: TestDatabase
let opened: Database
before(async () => {
  database = await testDatabase()
  opened = openDatabase({ url: database.url, schema: 'parley', applicationName: 'test' })
})
after(async () => {
  await opened.close()
  await database.drop()
})

test('timestamps are read as ISO 8601 with Z and milliseconds, counts as numbers', async () => {
  const { rows } = await opened.pool.query(
    "select '2026-01-02 03:04:05.6+02'::timestamptz as at, count(*) from organisations",
  )
  assert.deepEqual(rows[0], { at: '2026-01-02T01:04:05.600Z', count: 0 })
})

test('times of any century are read as they were written, whatever zone the server is in', async () => {
  await opened.pool.query(
    `alter database "${new URL(database.url).pathname.slice(1)}" set TimeZone = 'Europe/Amsterdam'`,
  )
  const later = openDatabase({ url: database.url, schema: 'parley', applicationName: 'test' })
  try {
    for (const time of ['0050-06-01T00:00:00.000Z', '1850-06-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']) {
      const { rows } = await later.pool.query('select $1::timestamptz as at', [time])
      assert.equal(rows[0].at, time)
    }
  } finally {
    await later.close()
  }
})

test('two transactions that deadlock both succeed, since the one that was undone is tried again', async () => {
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

test('look-ups at once get each their own answer, also behind one that fails', async () => {
  const lookUp = (value: string) =>
    opened.lookUps.query<{ n: number }>({ name: 'echo', text: 'select $1::int as n', values: [value] })
  const results = await Promise.allSettled(
    Array.from({ length: 200 }, (_, n) => lookUp(n % 10 === 7 ? 'seven' : String(n))),
  )
  results.forEach((result, n) => {
    if (n % 10 === 7) assert.equal(result.status, 'rejected')
    else assert.equal(result.status === 'fulfilled' && result.value.rows[0]?.n, n)
  })
})

async function openThroughProxy(t: TestContext) {
  const url = new URL(database.url)
  const proxy = await startProxy({ host: url.hostname, port: Number(url.port) })
  url.port = String(proxy.port)
  const { pool, lookUps, close } = openDatabase({
    url: url.href,
    schema: 'parley',
    applicationName: 'test',
    max: 1,
    limits: { silence: 300 },
  })
  t.after(async () => {
    await proxy.stop()
    if (!pool.ended) await close()
  })
  const lookUp = (n: number) => lookUps.query<{ n: number }>({ text: 'select $1::int as n', values: [n] })
  return { pool, lookUp, proxy, close }
}

test('a connection that is swallowed in the middle of a statement is cut, and the next statement gets another', async (t) => {
  const { pool, lookUp, proxy } = await openThroughProxy(t)
  await Promise.all([pool.query('select 1'), lookUp(1), lookUp(1)])
  proxy.set('black hole')
  const swallowed = [pool.query('select 2'), ...Array.from({ length: 6 }, () => lookUp(2))]
  for (const result of await Promise.allSettled(swallowed)) {
    assert.ok(result.status === 'rejected' && isDatabaseAway(result.reason))
  }
  proxy.set('pass')
  assert.equal((await pool.query('select 3 as n')).rows[0].n, 3)
  assert.deepEqual(
    (await Promise.all([lookUp(4), lookUp(5)])).map(({ rows }) => rows[0]?.n),
    [4, 5],
  )
})

test('a swallowed connection is cut though more and more is asked of it', async (t) => {
  const { lookUp, proxy } = await openThroughProxy(t)
  await Promise.all([lookUp(1), lookUp(1)])
  proxy.set('black hole')
  const crowd: Promise<string>[] = []
  const ask = () => crowd.push(lookUp(2).then(String, (error) => (isDatabaseAway(error) ? 'away' : error)))
  const asking = setInterval(ask, 20)
  t.after(() => clearInterval(asking))
  ask()
  assert.equal(await Promise.race([crowd[0], pause(20_000, 'silence', { ref: false })]), 'away')
  clearInterval(asking)
  proxy.set('pass')
  await Promise.all(crowd)
  assert.deepEqual((await lookUp(3)).rows, [{ n: 3 }])
})

test('a transaction that idles loses its locks, unless it said that it would', async () => {
  const { db, close } = openDatabase({
    url: database.url,
    schema: 'parley',
    applicationName: 'test',
    limits: { idleInTransaction: 2_000 },
  })
  const idle = (prepare: (tx: Tx) => Promise<void>) =>
    inTransaction(db, async (tx) => {
      await prepare(tx)
      await sql`select 1`.execute(tx)
      await pause(3_000)
      await sql`select 1`.execute(tx)
    })
  await assert.rejects(
    idle(async () => {}),
    isDatabaseAway,
  )
  await idle((tx) => letIdle(tx, 1))
  await close()
})

test('a name server, a host or a network that is away is a database that is away', () => {
  for (const code of ['EAI_AGAIN', 'ENOTFOUND', 'ECONNREFUSED', 'EHOSTDOWN', 'ENETUNREACH'])
    assert.ok(isDatabaseAway(Object.assign(new Error('connect'), { code })), code)
  assert.equal(isDatabaseAway(Object.assign(new Error('write'), { code: 'ENOSPC' })), false)
})

test('a database whose connections went silent can be closed', async (t) => {
  const { pool, lookUp, proxy, close } = await openThroughProxy(t)
  await Promise.all([pool.query('select 1'), lookUp(1), lookUp(1)])
  proxy.set('black hole')
  await close()
})

test('a statement with the mark is planned once per connection; two of them do not share a plan', async () => {
  const one = openDatabase({ url: database.url, schema: 'parley', applicationName: 'test', max: 1 })
  const add = async (n: number) => {
    const sum = sql<{ sum: number }>`${prepared} select ${n}::integer + 1 as sum`
    return (await sum.execute(one.db)).rows[0]?.sum
  }
  const take = sql<{ rest: number }>`${prepared} select ${5}::integer - 1 as rest`
  try {
    assert.deepEqual([await add(1), await add(2), await add(3)], [2, 3, 4])
    assert.equal((await take.execute(one.db)).rows[0]?.rest, 4)
    const { rows } = await one.pool.query(
      'select generic_plans + custom_plans as runs from pg_prepared_statements order by runs',
    )
    assert.deepEqual(rows, [{ runs: 1 }, { runs: 3 }])
  } finally {
    await one.close()
  }
})
