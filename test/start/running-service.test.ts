import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import pg from 'pg'
import { type Caller, request } from '../support/backend.ts'
import { newConversation, participantOf } from '../support/conversations.ts'
import { emptyDatabase } from '../support/database.ts'
import { wavOf } from '../support/engines.ts'
import {
  asAdmin,
  launchService,
  leftovers,
  newPassword,
  type Service,
  startService,
  takePort,
  temporaryFolder,
} from '../support/service.ts'
import { newTenantOf } from '../support/tenants.ts'
import { tusClient } from '../support/uploads.ts'
import { until } from '../support/webhooks.ts'

const untilTrue = (isTrue: () => Promise<boolean>) => until(() => isTrue().catch(() => false), Boolean)

/** An account that owns nothing here; not `nobody`, under which PostgreSQL can run. */
const STRANGER = 54_321
const isRoot = process.getuid?.() === 0

/** Those of the paths that the stranger can read. */
function readableByStranger(paths: string[]): string[] {
  const script = 'for path; do [ -r "$path" ] && printf "%s\\n" "$path"; done; exit 0'
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script, 'sh', ...paths], {
    uid: STRANGER,
    gid: STRANGER,
    cwd: '/',
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  return stdout.split('\n').filter((line) => line !== '')
}

/** A folder and everything below it. */
async function treeOf(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  return [folder, ...names.map((name) => join(folder, name))]
}

/** The paths with permissions for other accounts, with their modes. PostgreSQL removes some of its files during the search. */
async function tooOpen(paths: string[], allowed = 0): Promise<string[]> {
  const open: string[] = []
  for (const path of paths) {
    const { mode } = await stat(path).catch(() => ({ mode: 0 }))
    if ((mode & 0o077 & ~allowed) !== 0) open.push(`${(mode & 0o777).toString(8)} ${path}`)
  }
  return open
}

/** The second service starts on the folder that the first one has left. */
let dataDir: string

describe('a running service', { concurrency: false }, () => {
  let folder: string
  let service: Service
  let backendUrl: string
  let admin: Caller
  before(async () => {
    folder = await temporaryFolder()
    await chmod(folder, 0o755)
    dataDir = join(folder, 'data')
    // As an earlier version left them.
    const old = join(dataDir, 'files/files/conversations/aa/old')
    await mkdir(old, { recursive: true })
    await writeFile(join(old, '0-chunk'), 'a recording')
    await writeFile(join(dataDir, 'postgres.log'), '')
    for (const path of await treeOf(dataDir))
      await chmod(path, (await stat(path)).isDirectory() ? 0o755 : 0o644)
    const password = newPassword()
    const environment = { ADMIN_PASSWORD: password, OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }
    service = await startService(dataDir, { environment })
    backendUrl = service.address('Backend')
    admin = await asAdmin(service, password)
  })

  const pidOf = async (file: string) => Number((await readFile(join(dataDir, file), 'utf8')).split('\n')[0])

  it('hides its files from other accounts, whether recorded, uploaded, or left by an earlier version', async () => {
    const { project } = await newTenantOf(admin)
    const url = `${backendUrl}/api/participant/projects/${project}`
    const { id, token } = await newConversation({ url, backend: { url: backendUrl } })
    const send = participantOf(backendUrl, id, token)
    assert.equal((await send('PUT', '/chunks/0', wavOf('private'))).status, 201)
    const uploads = tusClient(backendUrl, `/api/participant/conversations/${id}/uploads`, {
      'x-participant-token': token,
    })
    assert.equal((await uploads.upload(wavOf('more'))).reply.status, 204)
    const half = wavOf('half')
    const begun = await uploads.begin(half.length)
    await uploads.patch(String(begun.headers.get('location')), 0, half.subarray(0, 100))
    const paths = await until(
      () => treeOf(dataDir),
      (all) => all.filter((path) => path.includes(`${id}/`)).length >= 4,
    )
    if (isRoot) {
      const control = join(folder, 'control')
      await writeFile(control, 'x', { mode: 0o644 })
      await chmod(control, 0o644)
      assert.deepEqual(readableByStranger([control]), [control])
      assert.deepEqual(readableByStranger(paths), [])
    }
    // As root, PostgreSQL's account must be able to pass through to its own folder.
    assert.deepEqual(await tooOpen([dataDir], isRoot ? 0o011 : 0), [])
    const repaired = await until(
      async () => tooOpen((await treeOf(dataDir)).slice(1)),
      (open) => open.length === 0,
    )
    assert.deepEqual(repaired, [])
  })

  it('creates private files in every process, whatever its umask was at the start', async () => {
    const children = [await pidOf('identity.pid'), await pidOf('postgres/postmaster.pid')]
    for (const pid of [service.child.pid, ...children])
      assert.match(await readFile(`/proc/${pid}/status`, 'utf8'), /^Umask:\s*0077$/m)
  })

  it('runs PostgreSQL without capabilities', { skip: !isRoot && 'needs root' }, async () => {
    const status = await readFile(`/proc/${await pidOf('postgres/postmaster.pid')}/status`, 'utf8')
    assert.match(status, /^CapEff:\s*0+$/m)
    assert.equal((await stat(join(dataDir, 'postgres'))).mode & 0o777, 0o700)
  })

  it('puts the port that the system chose into all links when PORT=0', async () => {
    const { workspace, project } = await newTenantOf(admin)
    const tier = { tier: 'changemaker', reason: 'webhooks' }
    await admin.send('PUT', `/api/v2/admin/workspaces/${workspace}/tier`, tier)
    const started = await request(
      `${backendUrl}/api/participant/projects/${project}/conversations`,
      'POST',
      {},
    )
    const [event] = (await admin.get(`/api/v2/projects/${project}/events`)).body.data
    const links = {
      withdrawal: started.body.withdraw_url,
      event: event.data.dashboard_url,
      export: (await admin.post(`/api/v2/workspaces/${workspace}/export`)).body.url,
      reference: (await request(`${backendUrl}/api/openapi.json`, 'GET')).body.servers[0].url,
    }
    assert.notEqual(new URL(backendUrl).port, '0')
    for (const [name, link] of Object.entries(links)) assert.equal(new URL(link).origin, backendUrl, name)
    // Its own origin, with that port, is allowed.
    const preflight = await fetch(`${backendUrl}/api/v2/me`, { headers: { origin: backendUrl } })
    assert.equal(preflight.headers.get('access-control-allow-origin'), backendUrl)
  })

  it('shows problems with the engines in the log and the banner at the start', async () => {
    assert.match(service.output(), /\n {2}Note: OPENAI_BASE_URL is set but not used/)
    assert.match(service.output(), /"msg":"OPENAI_BASE_URL is set but not used/)
  })

  it('restarts the identity store at the same address when it is killed', async () => {
    const store = await pidOf('identity.pid')
    process.kill(store, 'SIGKILL')
    await untilTrue(async () => (await fetch(`${service.address('Identity store')}/server/ping`)).ok)
    assert.notEqual(await pidOf('identity.pid'), store)
  })

  it('is ready but degraded while the identity store is down, and accepts access tokens', async () => {
    const store = await pidOf('identity.pid')
    process.kill(store, 'SIGSTOP')
    const ready = await fetch(`${service.address('Backend')}/api/ready`)
    assert.deepEqual([ready.status, await ready.json()], [200, { status: 'ready', degraded: ['identity'] }])
    assert.equal((await admin.get('/api/v2/organisations')).status, 200)
    process.kill(store, 'SIGCONT')
    await untilTrue(async () =>
      (await (await fetch(`${service.address('Backend')}/api/ready`)).text()).includes('"degraded":[]'),
    )
  })

  it('restarts PostgreSQL after a crash with all data, and returns 503 until then', async () => {
    const before = (await admin.get('/api/v2/organisations')).body.data
    assert.notEqual(before.length, 0)
    const postmaster = await pidOf('postgres/postmaster.pid')
    process.kill(postmaster, 'SIGKILL')
    const statuses = new Set<number>()
    await untilTrue(async () => (await pidOf('postgres/postmaster.pid')) !== postmaster)
    await untilTrue(async () => {
      const { status, body } = await admin.get('/api/v2/organisations')
      statuses.add(status)
      return status === 200 && body.data.length === before.length
    })
    assert.deepEqual(statuses.difference(new Set([200, 503])), new Set())
  })

  it('finishes requests in progress on SIGTERM, accepts no new ones, and then stops PostgreSQL', async () => {
    const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'))
    const port = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[3]
    const client = new pg.Client(`postgres://parley:${secrets.database_password}@127.0.0.1:${port}/parley`)
    client.on('error', () => {})
    await client.connect()
    await client.query('begin; lock table parley.organisations in access exclusive mode')
    const held = admin.get('/api/v2/organisations')
    await untilTrue(
      async () => (await client.query('select 1 from pg_locks where not granted')).rows.length > 0,
    )

    service.child.kill('SIGTERM')
    const { hostname, port: backendPort } = new URL(service.address('Backend'))
    await untilTrue(async () => {
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
    const service = await startService(dataDir)
    service.child.stdout?.pause()
    // Each is a log line of both processes: far more than the buffers on the way hold.
    const asked = Array.from({ length: 20 }, async () => {
      for (let n = 0; n < 80; n++) {
        await fetch(`${service.address('Backend')}/api/v2/me`)
        await fetch(`${service.address('Identity store')}/users/me`)
      }
    })
    await Promise.all(asked)
    service.child.kill('SIGTERM')
    await service.gone
    assert.equal(service.child.exitCode, 0)
    service.child.stdout?.resume()
    await service.ended
    assert.ok(
      service.output().split('\n').length < 2 * 20 * 80,
      'lines are missing, so the buffers were full',
    )
    assert.deepEqual(await leftovers(dataDir), [])
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
    await untilTrue(async () => (await fetch(`${url}/api/health`)).status === 200)
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
  })
})
