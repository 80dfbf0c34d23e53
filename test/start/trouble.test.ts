import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Caller } from '../support/backend.ts'
import { emptyDatabase } from '../support/database.ts'
import {
  asAdmin,
  launchService,
  leftovers,
  newPassword,
  removeFolder,
  type Service,
  startService,
  takePort,
  temporaryFolder,
} from '../support/service.ts'

/** Polls for up to a minute. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`Still not so: ${isSo.toString()}`)
    await pause(50)
  }
}

describe('a running service', { concurrency: false }, () => {
  let folder: string
  let service: Service
  let admin: Caller
  before(async () => {
    folder = await temporaryFolder()
    const password = newPassword()
    service = await startService(folder, { environment: { ADMIN_PASSWORD: password } })
    admin = await asAdmin(service, password)
    await admin.post('/api/v2/organisations', { name: 'Here' })
  })
  after(async () => {
    service.child.kill('SIGKILL')
    await removeFolder(folder)
  })

  const organisations = async () => (await admin.get('/api/v2/organisations')).body.data.length
  const pidOf = async (file: string) => Number((await readFile(join(folder, file), 'utf8')).split('\n')[0])

  it('restarts the identity store at the same address when it is killed', async () => {
    const store = await pidOf('identity.pid')
    process.kill(store, 'SIGKILL')
    await until(async () => (await fetch(`${service.address('Identity store')}/server/ping`)).ok)
    assert.notEqual(await pidOf('identity.pid'), store)
  })

  it('is ready but degraded while the identity store is down, and accepts access tokens', async () => {
    const store = await pidOf('identity.pid')
    process.kill(store, 'SIGSTOP')
    const ready = await fetch(`${service.address('Backend')}/api/ready`)
    assert.deepEqual([ready.status, await ready.json()], [200, { status: 'ready', degraded: ['identity'] }])
    assert.equal(await organisations(), 1)
    process.kill(store, 'SIGCONT')
    await until(async () =>
      (await (await fetch(`${service.address('Backend')}/api/ready`)).text()).includes('"degraded":[]'),
    )
  })

  it('restarts PostgreSQL after a crash with all data, and returns 503 until then', async () => {
    const postmaster = await pidOf('postgres/postmaster.pid')
    process.kill(postmaster, 'SIGKILL')
    const refused = new Set<number>()
    await until(async () => (await pidOf('postgres/postmaster.pid')) !== postmaster)
    await until(async () => {
      const { status, body } = await admin.get('/api/v2/organisations')
      if (status !== 200) refused.add(status)
      return status === 200 && body.data.length === 1
    })
    assert.deepEqual(
      [...refused].filter((status) => status !== 503),
      [],
    )
  })

  it('finishes requests in progress on SIGTERM, accepts no new ones, and then stops PostgreSQL', async () => {
    const secrets = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'))
    const port = (await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[3]
    const client = new pg.Client(`postgres://parley:${secrets.database_password}@127.0.0.1:${port}/parley`)
    client.on('error', () => {})
    await client.connect()
    await client.query('begin; lock table parley.organisations in access exclusive mode')
    const held = admin.get('/api/v2/organisations')
    await until(async () => (await client.query('select 1 from pg_locks where not granted')).rows.length > 0)

    service.child.kill('SIGTERM')
    const { hostname, port: backendPort } = new URL(service.address('Backend'))
    await until(async () => {
      const socket = createConnection(Number(backendPort), hostname)
      return once(socket, 'connect').then(
        () => socket.destroy() && false,
        () => true,
      )
    })
    await client.query('commit')
    assert.equal((await held).status, 200)
    assert.equal((await service.ended).code, 0)
  })
})

describe('a service whose output is no longer read', () => {
  it('continues, and exits with 0 on SIGTERM', async () => {
    const folder = await temporaryFolder()
    const service = await startService(folder)
    service.child.stdout?.pause()
    // More log lines of both processes than the buffers on the way hold.
    const asked = Array.from({ length: 20 }, async () => {
      for (let n = 0; n < 200; n++) {
        await fetch(`${service.address('Backend')}/api/v2/me`)
        await fetch(`${service.address('Identity store')}/users/me`)
      }
    })
    await Promise.all(asked)
    service.child.kill('SIGTERM')
    await service.gone
    assert.equal(service.child.exitCode, 0)
    assert.deepEqual(await leftovers(folder), [])
    await removeFolder(folder)
  })
})

describe('a service whose database is down at its start', () => {
  it('is alive but not ready, and becomes ready when the database is up', async () => {
    const database = await emptyDatabase()
    const folder = await temporaryFolder()
    const { port, release } = await takePort()
    await release()
    const there = new URL(database.url)
    const through = new URL(database.url)
    through.port = String(port)
    const backendPort = await takePort()
    await backendPort.release()
    const environment = {
      DATABASE_URL: through.href,
      ENCRYPTION_KEY: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
      PORT: String(backendPort.port),
      // The embedded store would have to wait for the database, too.
      IDENTITY_URL: 'http://127.0.0.1:9',
      IDENTITY_SECRET: 'x'.repeat(32),
    }
    const service = launchService(folder, { environment })
    const url = `http://127.0.0.1:${backendPort.port}`
    await until(async () => (await fetch(`${url}/api/health`)).status === 200)
    const ready = await fetch(`${url}/api/ready`)
    assert.deepEqual([ready.status, ready.headers.get('retry-after')], [503, '2'])
    assert.equal((await fetch(`${url}/api/v2/me`)).status, 503)
    await service.printed('Database unreachable; retrying in')
    assert.doesNotMatch(service.output(), /"level":"error"|"frames"/)

    const proxy = createServer((socket) => {
      const server = createConnection(Number(there.port), there.hostname)
      socket.pipe(server).pipe(socket)
      for (const end of [socket, server]) end.on('error', () => {})
    }).listen(port, '127.0.0.1')
    await service.printed(' is ready.')
    assert.equal((await fetch(`${url}/api/ready`)).status, 200)
    await service.stop()
    proxy.close()
    await database.drop()
    await removeFolder(folder)
  })
})
