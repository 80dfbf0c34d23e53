import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { isProcessAlive } from '../../platform/is-process-alive.ts'
import { createLog } from '../../platform/log.ts'
import { standardOutput } from '../../platform/standard-output.ts'
import { testDatabase } from '../../test/support/database.ts'
import { removeFolder, temporaryFolder } from '../../test/support/service.ts'
import { until } from '../../test/support/webhooks.ts'
import { EmbeddedIdentity } from './identity-store.ts'

async function openStore(t: TestContext, readyLimitMs = 60_000) {
  const database = await testDatabase()
  const folder = await temporaryFolder()
  const pidFile = join(folder, 'identity.pid')
  const store = new EmbeddedIdentity({
    pidFile,
    log: createLog('silent'),
    output: standardOutput(),
    readyLimitMs,
    showAdmin: async () => {},
  })
  t.after(async () => {
    await store.stop()
    await database.drop()
    await removeFolder(folder)
  })
  const start = () =>
    store.start({
      DATABASE_URL: database.url,
      HOST: '127.0.0.1',
      IDENTITY_PORT: '0',
      IDENTITY_SECRET: 'x'.repeat(32),
      IDENTITY_TOKEN: 'y'.repeat(32),
      ADMIN_EMAIL: 'admin@example.com',
      LOG_LEVEL: 'silent',
    })
  const pid = async () => Number(await readFile(pidFile, 'utf8').catch(() => ''))
  return { start, pid, pidFile }
}

test('kills a store that hangs at its start and starts another one', async (t) => {
  const { start, pid } = await openStore(t, 10_000)
  const starting = start()
  const frozen = await until(pid, (found) => found > 0)
  process.kill(frozen, 'SIGSTOP')
  assert.ok((await fetch(`${await starting}/server/ping`)).ok)
  assert.notEqual(await pid(), frozen)
})

test('leaves the store of another folder alone whose pid is in a stale pid file', async (t) => {
  const [first, second] = [await openStore(t), await openStore(t)]
  await first.start()
  const pid = await first.pid()
  await writeFile(second.pidFile, String(pid))
  await second.start()
  assert.equal(await first.pid(), pid)
  assert.ok(isProcessAlive(pid))
})
