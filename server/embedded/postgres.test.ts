import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { appendFile, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { createLog } from '../../platform/log.ts'
import { removeFolder, takePort, temporaryFolder } from '../../test/support/service.ts'
import { until } from '../../test/support/webhooks.ts'
import { EmbeddedPostgres, type EmbeddedPostgresOptions } from './postgres.ts'

/** Creating a cluster takes 2 s of CPU time, so the tests copy one. */
const prepared = await temporaryFolder()
const creating = new EmbeddedPostgres({ dataDir: prepared, password: 'test', log: createLog('silent') })
await creating.start()
await creating.stop()

/** With its owner, which is not the account of the tests if they run as root. */
async function copyCluster(dataDir: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', join(prepared, 'postgres'), dataDir])
}

type Given = Pick<EmbeddedPostgresOptions, 'startLimitMs' | 'settings' | 'choosePort'>

async function openPostgres(t: TestContext, given: Given = {}) {
  const dataDir = await temporaryFolder()
  await copyCluster(dataDir)
  const logged: string[] = []
  const log = createLog('info', { write: (line) => void logged.push(line) })
  const options = { dataDir, password: 'test', log, ...given }
  const postgres = new EmbeddedPostgres(options)
  t.after(async () => {
    await postgres.stop()
    await removeFolder(dataDir)
  })
  const pid = async () =>
    Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0])
  return { postgres, options, dataDir, logged, pid }
}

async function accepts(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end()
  }
}

test('restarts a server after a failure that lasted longer than one start', async (t) => {
  const { postgres, dataDir, logged, pid } = await openPostgres(t, { startLimitMs: 500 })
  const url = await postgres.start()
  const configuration = join(dataDir, 'postgres/postgresql.auto.conf')
  const sound = await readFile(configuration, 'utf8')
  await appendFile(configuration, 'no_such_setting = 1\n')
  process.kill(await pid(), 'SIGKILL')
  const failures = async () => logged.filter((line) => line.includes('did not restart')).length
  await until(failures, (count) => count >= 2)
  await writeFile(configuration, sound)
  await until(
    () => accepts(url),
    (isThere) => isThere,
  )
})

test('relaunches a server that was killed during its start', async (t) => {
  // It accepts no connection within its first second, so that the kill comes first.
  const { postgres, pid } = await openPostgres(t, { settings: ['pre_auth_delay=1'] })
  const starting = postgres.start()
  process.kill(await until(pid, (found) => found > 0), 'SIGKILL')
  assert.ok(await accepts(await starting))
})

test('a frozen server that accepts connections does not delay the failure of a start', async (t) => {
  const { postgres, options, pid } = await openPostgres(t)
  await postgres.start()
  const frozen = await pid()
  process.kill(frozen, 'SIGSTOP')
  const next = new EmbeddedPostgres({ ...options, startLimitMs: 500 })
  await assert
    .rejects(next.start(), /PostgreSQL did not start/)
    .finally(() => process.kill(frozen, 'SIGCONT'))
})

/** Takes the lock as another Parley does that starts in the moment in which the first one lost its connection. */
async function takeLock(url: string): Promise<pg.Client> {
  const [other, saboteur] = [new pg.Client(inPostgres(url)), new pg.Client(inPostgres(url))]
  other.on('error', () => {})
  await Promise.all([other.connect(), saboteur.connect()])
  // The session that waits for a lock gets it first.
  const taken = other.query("select pg_advisory_lock(hashtext('parley-owner'))")
  const waiting = async () =>
    (await saboteur.query("select from pg_locks where locktype = 'advisory' and not granted")).rows.length
  await until(waiting, (count) => count === 1)
  await saboteur.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'parley-owner'",
  )
  await taken
  await saboteur.end()
  return other
}

const inPostgres = (url: string): string => Object.assign(new URL(url), { pathname: '/postgres' }).href

const hasSaid = (logged: string[], text: string) =>
  until(
    async () => logged.some((line) => line.includes(text)),
    (said) => said,
  )

test('leaves a server running that another Parley has taken over', async (t) => {
  const { postgres, logged, pid } = await openPostgres(t)
  const other = await takeLock(await postgres.start())
  await hasSaid(logged, 'Another Parley is running')
  await postgres.stop()
  assert.equal((await other.query('select 1 as n')).rows[0].n, 1)
  process.kill(await pid(), 'SIGINT')
  await until(pid, (found) => !found)
})

test('restarts a server that another Parley had taken over when that one ends', async (t) => {
  const { postgres, logged, pid } = await openPostgres(t)
  const url = await postgres.start()
  const other = await takeLock(url)
  await hasSaid(logged, 'Another Parley is running')
  await other.end()
  process.kill(await pid(), 'SIGINT')
  await until(
    () => accepts(url),
    (isThere) => !isThere,
  )
  await until(
    () => accepts(url),
    (isThere) => isThere,
  )
})

test('ignores a pid file whose pid belongs to another program, and leaves that program alone', async (t) => {
  const { postgres, options, dataDir } = await openPostgres(t)
  await postgres.start()
  await postgres.stop()
  const folder = join(dataDir, 'postgres')
  // A process of the same account, as in a container: PostgreSQL takes it for another server on its folder.
  const { uid } = await stat(folder)
  const stranger = spawn('sleep', ['600'], { uid, stdio: 'ignore' })
  t.after(() => stranger.kill())
  const { port, release } = await takePort()
  await release()
  await writeFile(join(folder, 'postmaster.pid'), `${stranger.pid}\n${folder}\n1\n${port}\n\n127.0.0.1\n`)

  const next = new EmbeddedPostgres(options)
  t.after(() => next.stop())
  assert.ok(await accepts(await next.start()))
  await next.stop()
  assert.deepEqual([stranger.exitCode, stranger.signalCode], [null, null])
})

test('starts on another port when a connection took the chosen one', async (t) => {
  const taken = await takePort()
  const free = await takePort()
  t.after(() => taken.release())
  await free.release()
  const ports = [taken.port, free.port]
  const { postgres } = await openPostgres(t, {
    startLimitMs: 3_000,
    choosePort: async () => ports.shift() ?? assert.fail(),
  })
  assert.equal(new URL(await postgres.start()).port, String(free.port))
})
