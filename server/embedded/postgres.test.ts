import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { appendFile, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { createLog } from '../../platform/log.ts'
import { removeFolder, takePort, temporaryFolder } from '../../test/support/service.ts'
import { until } from '../../test/support/webhooks.ts'
import { EmbeddedPostgres } from './postgres.ts'

interface Given {
  startLimitMs?: number
  settings?: string[]
}

async function openPostgres(t: TestContext, given: Given = {}) {
  const dataDir = await temporaryFolder()
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

async function answers(url: string): Promise<boolean> {
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

test('a server that could not come back for long comes back when it can', async (t) => {
  const { postgres, dataDir, logged, pid } = await openPostgres(t, { startLimitMs: 500 })
  const url = await postgres.start()
  const configuration = join(dataDir, 'postgres/postgresql.auto.conf')
  const sound = await readFile(configuration, 'utf8')
  await appendFile(configuration, 'no_such_setting = 1\n')
  process.kill(await pid(), 'SIGKILL')
  const failures = async () => logged.filter((line) => line.includes('did not come back')).length
  await until(failures, (count) => count >= 2)
  await writeFile(configuration, sound)
  await until(
    () => answers(url),
    (isThere) => isThere,
  )
})

test('a server that is killed in the middle of its start is launched again', async (t) => {
  // It answers no connection within its first second, so that the kill comes first.
  const { postgres, pid } = await openPostgres(t, { settings: ['pre_auth_delay=1'] })
  const starting = postgres.start()
  process.kill(await until(pid, (found) => found > 0), 'SIGKILL')
  assert.ok(await answers(await starting))
})

test('a server that takes connections and says nothing does not hold up the end of a start', async (t) => {
  const { postgres, options, pid } = await openPostgres(t)
  await postgres.start()
  const frozen = await pid()
  process.kill(frozen, 'SIGSTOP')
  const next = new EmbeddedPostgres({ ...options, startLimitMs: 500 })
  await assert
    .rejects(next.start(), /PostgreSQL did not start/)
    .finally(() => process.kill(frozen, 'SIGCONT'))
})

/** As another Parley would that is started in the moment in which the first one lost its connection. */
async function takeLock(url: string): Promise<pg.Client> {
  const [other, saboteur] = [new pg.Client(inPostgres(url)), new pg.Client(inPostgres(url))]
  other.on('error', () => {})
  await Promise.all([other.connect(), saboteur.connect()])
  // Whoever waits at a lock is the first to get it.
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

test('a server that another Parley has taken meanwhile is left running', async (t) => {
  const { postgres, logged, pid } = await openPostgres(t)
  const other = await takeLock(await postgres.start())
  await hasSaid(logged, 'Another Parley is running')
  await postgres.stop()
  assert.equal((await other.query('select 1 as n')).rows[0].n, 1)
  process.kill(await pid(), 'SIGINT')
  await until(pid, (found) => !found)
})

test('a server that another Parley had taken is brought back when that one has gone', async (t) => {
  const { postgres, logged, pid } = await openPostgres(t)
  const url = await postgres.start()
  const other = await takeLock(url)
  await hasSaid(logged, 'Another Parley is running')
  await other.end()
  process.kill(await pid(), 'SIGINT')
  await until(
    () => answers(url),
    (isThere) => !isThere,
  )
  await until(
    () => answers(url),
    (isThere) => isThere,
  )
})

test('a pid file whose number belongs to a stranger by now is no server, and the stranger is left alone', async (t) => {
  const { postgres, options, dataDir } = await openPostgres(t)
  await postgres.start()
  await postgres.stop()
  const folder = join(dataDir, 'postgres')
  // Of the same account, as in a container: PostgreSQL itself takes it for another server of its folder.
  const { uid } = await stat(folder)
  const stranger = spawn('sleep', ['600'], { uid, stdio: 'ignore' })
  t.after(() => stranger.kill())
  const { port, release } = await takePort()
  await release()
  await writeFile(join(folder, 'postmaster.pid'), `${stranger.pid}\n${folder}\n1\n${port}\n\n127.0.0.1\n`)

  const next = new EmbeddedPostgres(options)
  t.after(() => next.stop())
  assert.ok(await answers(await next.start()))
  await next.stop()
  assert.deepEqual([stranger.exitCode, stranger.signalCode], [null, null])
})
