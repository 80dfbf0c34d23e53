import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startProxy } from '../test/chaos/framework/tcp-proxy.ts'
import { onServer, testDatabase } from '../test/support/database.ts'
import { until } from '../test/support/webhooks.ts'
import { isDatabaseUnavailable, openDatabase } from './database.ts'
import { checkDatabaseUrl, parseHosts } from './hosts.ts'

test('reads a list of hosts, and leaves a URL with one host to node-postgres', () => {
  const list = parseHosts(
    'postgres://u:p%40@a,[::1]:6000,b:7000/d?target_session_attrs=primary&sslmode=disable',
  )
  assert.deepEqual(list?.hosts, [
    { name: 'a', port: 5432 },
    { name: '::1', port: 6000 },
    { name: 'b', port: 7000 },
  ])
  assert.equal(list.urlOf({ name: '::1', port: 6000 }), 'postgres://u:p%40@[::1]:6000/d?sslmode=disable')
  for (const one of ['postgres://u:p,q@h/d', 'postgres:///d?host=/run/a,b', 'postgresql://h:1/d?x=a,b'])
    assert.equal(parseHosts(one), null, one)
})

test('rejects a database URL that cannot work', () => {
  const wrong = {
    'mysql://a/b': /postgres:\/\//,
    'postgres://a:1,b:70000/d': /host:port/,
    'postgres://a,,b/d': /host:port/,
    'postgres://a,b/d?target_session_attrs=standby': /read-write/,
    'postgres://a/d?target_session_attrs=any': /read-write/,
  }
  for (const [url, message] of Object.entries(wrong)) assert.throws(() => checkDatabaseUrl(url), message, url)
  for (const url of [
    'postgres://h/d',
    'postgres://u:p@a,b:6000/d?target_session_attrs=read-write',
    'postgres:///d?host=/run',
  ])
    checkDatabaseUrl(url)
})

test('moves to another address of the same server when the first one says nothing', async (t) => {
  const { url, proxies } = await urlWithTwoProxies(t)
  const { pool, close } = openDatabase({ url, schema: 'parley', applicationName: 'test', max: 1 })
  t.after(close)
  await pool.query('select 1')
  // The monitor has one connection to each; the pool has another one to the address that it uses.
  for (const proxy of proxies) if (proxy.cut() > 1) proxy.set('black hole')
  const isBack = () =>
    pool.query('select 1').then(
      () => true,
      () => false,
    )
  await until(isBack, (done) => done)
})

test('a wrong password is reported, not waited for', async (t) => {
  const { url } = await urlWithTwoProxies(t)
  // The user of the tests needs no password.
  await onServer((client) => client.query("create role guest login password 'right'"))
  t.after(() => onServer((client) => client.query('drop role guest')))
  const { pool, close } = openDatabase({
    url: url.replace(/\/\/[^@]*@/, '//guest:wrong@'),
    schema: 'parley',
    applicationName: 'test',
    limits: { connect: 60_000 },
  })
  t.after(close)
  await assert.rejects(pool.query('select 1'), { code: '28P01' })
})

async function urlWithTwoProxies(t: TestContext) {
  const database = await testDatabase()
  t.after(database.drop)
  const { hostname: host, port } = new URL(database.url)
  const proxies = [
    await startProxy({ host, port: Number(port) }),
    await startProxy({ host, port: Number(port) }),
  ]
  for (const proxy of proxies) t.after(() => proxy.stop())
  const hosts = proxies.map((proxy) => `127.0.0.1:${proxy.port}`).join(',')
  return { url: database.url.replace(/127\.0\.0\.1:\d+/, hosts), proxies }
}

test('closes a connection whose server refuses writes, and reports the database as unavailable', async (t) => {
  const database = await testDatabase()
  t.after(database.drop)
  const { pool, close } = openDatabase({ url: database.url, schema: 'parley', applicationName: 'test' })
  t.after(close)
  const insert = () => pool.query("insert into organisations (id, name) values (gen_random_uuid(), 'x')")
  await insert()
  // As a standby refuses it. New connections get the setting, and the next ones after its removal do not.
  const name = new URL(database.url).pathname.slice(1)
  const setReadOnly = (value: string) =>
    onServer((client) =>
      client.query(`alter database "${name}" set default_transaction_read_only = ${value}`),
    )
  await setReadOnly('on')
  await pool.query('select pg_terminate_backend(pg_backend_pid())').catch(() => {})
  await assert.rejects(
    insert(),
    (error) => isDatabaseUnavailable(error) && (error as { code?: string }).code === '25006',
  )
  await setReadOnly('default')
  await insert()
})
