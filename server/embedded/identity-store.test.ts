import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { testDatabase } from '../../test/support/database.ts'
import { removeFolder, temporaryFolder } from '../../test/support/service.ts'
import { until } from '../../test/support/webhooks.ts'
import { createLog } from '../kernel/log.ts'
import { EmbeddedIdentity } from './identity-store.ts'

async function openStore(t: TestContext, readyLimitMs: number) {
  const database = await testDatabase()
  const folder = await temporaryFolder()
  const pidFile = join(folder, 'identity.pid')
  const store = new EmbeddedIdentity({ pidFile, log: createLog('silent'), readyLimitMs, showAdmin: () => {} })
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
  return { start, pid }
}

test('a store that hangs at its start is ended, and another one started', async (t) => {
  const { start, pid } = await openStore(t, 10_000)
  const starting = start()
  const frozen = await until(pid, (found) => found > 0)
  process.kill(frozen, 'SIGSTOP')
  assert.ok((await fetch(`${await starting}/server/ping`)).ok)
  assert.notEqual(await pid(), frozen)
})
