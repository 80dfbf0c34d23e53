import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { emptyDatabase, type TestDatabase, testDatabase } from '../test/support/database.ts'
import { ADMINISTRATOR } from './roles.ts'
import { call, codeOf } from './testing/client.ts'
import { ENVIRONMENT, type Launched, launch } from './testing/store-process.ts'
import { waitUntilBlocked } from './testing/wait-until-blocked.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

/** A database for one test, and the stores that it starts; removed after the test. */
async function fixture(test: TestContext, from: () => Promise<TestDatabase> = testDatabase) {
  const database = await from()
  const launched: Launched[] = []
  test.after(async () => {
    for (const { child, exit } of launched) {
      child.kill('SIGKILL')
      await exit
    }
    await database.drop()
  })
  function start(environment: Record<string, string> = {}): Launched {
    const store = launch({ DATABASE_URL: database.url, ...environment })
    launched.push(store)
    return store
  }
  return { database, start, admins: () => countAdmins(database.url) }
}

/** Acknowledges the administrator, if one is shown, and waits until the store is ready. */
async function ready(store: Launched): Promise<string> {
  void store.message('admin').then(
    () => store.child.send({ type: 'admin-shown' }),
    () => {},
  )
  return (await store.message('ready'))['url'] as string
}

async function end(store: Launched): Promise<void> {
  store.child.kill('SIGTERM')
  assert.equal(await store.exit, 0)
}

const login = (url: string, email: string, password: string) =>
  call(url, 'POST', '/auth/login', { body: { email, password } })

async function countAdmins(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select count(*)::int as n from identity.users where role = $1', [
    ADMINISTRATOR,
  ])
  await client.end()
  return rows[0].n
}

describe('the identity store process', { concurrency: 3, timeout: 170_000 }, () => {
  it('creates the first administrator after the password was shown', async (test) => {
    const { start, admins } = await fixture(test)
    const store = start({ ADMIN_EMAIL: 'boss@example.com' })
    const { email, password } = await store.message('admin')
    assert.equal(await admins(), 0, 'nothing is committed before the password was shown')
    store.child.send({ type: 'admin-shown' })
    const { url } = await store.message('ready')
    assert.equal(email, 'boss@example.com')
    assert.equal((await login(url as string, 'boss@example.com', password as string)).status, 200)
    assert.ok(!store.output().includes(password as string))
  })

  it('shows another password after a crash before the first was shown', async (test) => {
    const { start } = await fixture(test)
    const crashed = start()
    const first = await crashed.message('admin')
    crashed.child.kill('SIGKILL')
    await crashed.exit
    const store = start()
    const second = await store.message('admin')
    assert.notEqual(second['password'], first['password'])
    const url = await ready(store)
    assert.equal((await login(url, 'admin@example.com', second['password'] as string)).status, 200)
    assert.equal((await login(url, 'admin@example.com', first['password'] as string)).status, 401)
  })

  it('does not show a password from the settings, and creates no second administrator', async (test) => {
    const { start, admins } = await fixture(test)
    const first = start({ ADMIN_PASSWORD: 'chosen by a person' })
    assert.equal((await first.message('admin'))['password'], null)
    assert.equal((await login(await ready(first), 'admin@example.com', 'chosen by a person')).status, 200)
    await end(first)
    const second = start({ ADMIN_PASSWORD: 'another choice', ADMIN_EMAIL: 'second@example.com' })
    const url = await ready(second)
    assert.equal((await login(url, 'second@example.com', 'another choice')).status, 401)
    assert.equal(await admins(), 1)
  })

  it('can start twice at the same time on one empty database', async (test) => {
    const { start } = await fixture(test, emptyDatabase)
    const stores = [start(), start()]
    const urls = await Promise.all(stores.map(ready))
    const seen = await Promise.all(
      stores.map((store) => Promise.race([store.message('admin'), Promise.resolve(null)])),
    )
    const [shown, ...others] = seen.filter((message) => message !== null)
    assert.equal(others.length, 0)
    for (const url of urls)
      assert.equal((await login(url, 'admin@example.com', shown?.['password'] as string)).status, 200)
  })

  it('waits for another store that is creating the first administrator', async (test) => {
    const { database, start, admins } = await fixture(test)
    const first = start()
    await first.message('admin')
    const second = start({ ADMIN_EMAIL: 'second@example.com' })
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const raced = await Promise.race([
      second.message('admin').catch(() => undefined),
      waitUntilBlocked(client),
    ])
    await client.end()
    assert.equal(raced, undefined, 'the second waits')
    first.child.send({ type: 'admin-shown' })
    await Promise.all([first.message('ready'), second.message('ready')])
    assert.equal(await admins(), 1)
  })

  it('sets the token of the backend from the settings at each start', async (test) => {
    const { start } = await fixture(test)
    const [one, two] = ['the-first-token-of-the-backend', 'the-second-token-of-the-backend']
    const first = start({ IDENTITY_TOKEN: one })
    const status = async (url: string, bearer: string) =>
      (await call(url, 'GET', '/users', { bearer })).status
    assert.equal(await status(await ready(first), one), 200)
    await end(first)
    const url = await ready(start({ IDENTITY_TOKEN: two }))
    assert.deepEqual([await status(url, two), await status(url, one)], [200, 401])
  })

  it('exits when its parent closes the channel, also before the administrator was shown', async (test) => {
    const { start, admins } = await fixture(test)
    const early = start()
    await early.message('admin')
    early.child.disconnect()
    assert.equal(await early.exit, 0)
    assert.equal(await admins(), 0)
    const store = start()
    await ready(store)
    store.child.disconnect()
    assert.equal(await store.exit, 0)
  })

  it('exits when its parent is killed', async (test) => {
    const { database } = await fixture(test)
    const script = `
      const child = require('node:child_process').fork(${JSON.stringify(MAIN)}, { stdio: 'inherit' })
      child.on('message', ({ type, url }) => {
        if (type === 'admin') child.send({ type: 'admin-shown' })
        if (type === 'ready') process.send(url)
      })`
    const parent = spawn(process.execPath, ['-e', script], {
      env: { ...ENVIRONMENT, DATABASE_URL: database.url, LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    const [url] = await once(parent, 'message')
    assert.equal((await call(url, 'GET', '/server/ping')).status, 200)
    // The store inherits this pipe, which ends with the store.
    const output = text(parent.stdout as NonNullable<typeof parent.stdout>)
    parent.kill('SIGKILL')
    await output
    await assert.rejects(call(url, 'GET', '/server/ping'))
  })

  it('finishes requests in progress before it stops', async (test) => {
    const { database, start } = await fixture(test)
    const store = start({ ADMIN_PASSWORD: 'chosen by a person' })
    const url = await ready(store)
    // A login that waits for a row lock of the test.
    const holder = new pg.Client({ connectionString: database.url })
    await holder.connect()
    await holder.query('begin')
    await holder.query('select 1 from identity.users for update')
    const response = login(url, 'admin@example.com', 'chosen by a person')
    await waitUntilBlocked(holder)
    store.child.kill('SIGTERM')
    await waitUntilClosed(url)
    await holder.query('commit')
    await holder.end()
    assert.equal((await response).status, 200)
    assert.equal((await response).headers.get('connection'), 'close', 'no connection delays the exit')
    assert.equal(await store.exit, 0)
  })

  it('reports a port in use and the setting to change', async (test) => {
    const { start } = await fixture(test)
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const store = start({ IDENTITY_PORT: String(port), ADMIN_PASSWORD: 'chosen by a person' })
    await store.message('admin')
    store.child.send({ type: 'admin-shown' })
    const { message } = await store.message('failed')
    assert.match(String(message), new RegExp(`${port}.*in use.*IDENTITY_PORT`))
    assert.equal(await store.exit, 1)
    other.close()
  })

  it('reports all problems with its settings', async (test) => {
    const { start } = await fixture(test)
    const store = start({ IDENTITY_SECRET: 'short', IDENTITY_PORT: 'x', DATABASE_URL: '' })
    const { message } = await store.message('failed')
    for (const name of ['IDENTITY_SECRET', 'IDENTITY_PORT', 'DATABASE_URL'])
      assert.ok(String(message).includes(name))
    assert.equal(await store.exit, 1)
  })

  it('reports an unreachable database without its password', async (test) => {
    const { start } = await fixture(test)
    const store = start({ DATABASE_URL: 'postgres://parley:hidden@127.0.0.1:1/none' })
    const { message } = await store.message('failed')
    assert.match(String(message), /DATABASE_URL \(ECONNREFUSED\)/)
    assert.ok(!String(message).includes('hidden'))
    assert.equal(await store.exit, 1)
  })

  it('prints the first administrator on a terminal', async (test) => {
    const { database } = await fixture(test)
    const child = spawn(process.execPath, [MAIN], {
      env: { ...ENVIRONMENT, DATABASE_URL: database.url, LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let printed = ''
    for await (const chunk of child.stdout) {
      printed += chunk
      if (printed.includes('listens on')) break
    }
    const password = /admin@example\.com, with the password (\S+)/.exec(printed)?.[1] ?? ''
    const url = /listens on (\S+)/.exec(printed)?.[1] ?? ''
    assert.equal((await login(url, 'admin@example.com', password)).status, 200)
    assert.equal(codeOf(await login(url, 'admin@example.com', 'another')), 'INVALID_CREDENTIALS')
    const exited = once(child, 'exit')
    child.kill('SIGINT')
    assert.deepEqual(await exited, [0, null])
  })
})

async function waitUntilClosed(url: string): Promise<void> {
  for (;;) {
    const status = await call(url, 'GET', '/server/ping', { headers: { connection: 'close' } }).then(
      (response) => response.status,
      () => null,
    )
    if (status !== 200) return
  }
}
