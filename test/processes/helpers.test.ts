import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { isProcessAlive } from '../../platform/is-process-alive.ts'
import {
  asAdmin,
  launchService,
  leftovers,
  type Service,
  startService,
  temporaryFolder,
} from '../support/service.ts'
import { until } from '../support/webhooks.ts'

const folder = await temporaryFolder()
const environment = { WORKERS: '3', ADMIN_PASSWORD: 'a password for tests' }

/** The processes that share the work of the first one. */
async function helpersOf({ child }: Service): Promise<number[]> {
  const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
  const all = children.split(' ').filter(Boolean).map(Number)
  const commands = await Promise.all(
    all.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
  return all.filter((_, index) => commands[index]?.includes('helper-main.ts'))
}

/** How many sockets listen on the port of the API. */
async function listeners(service: Service): Promise<number> {
  const port = Number(new URL(service.address('Backend')).port)
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/))
  return rows.filter(([, local = '', , state]) => local.endsWith(suffix) && state === '0A').length
}

/** Successful requests for this path, from the common page of metrics. */
async function countedRequests(service: Service, route: string): Promise<number> {
  const text = await (await fetch(`${service.address('Metrics')}/metrics`)).text()
  const pattern = new RegExp(
    `^parley_http_request_duration_seconds_count\\{.*route="${route}",status="200".*\\} (\\d+)$`,
    'm',
  )
  return Number(pattern.exec(text)?.[1] ?? 0)
}

/** Each over a new connection, so that they are spread over the processes. */
async function requestHealth(service: Service, count: number): Promise<number[]> {
  const ask = async () =>
    (await fetch(`${service.address('Backend')}/api/health`, { headers: { connection: 'close' } })).status
  return await Promise.all(Array.from({ length: count }, ask))
}

test('several processes are one service: one port, one banner, one page of metrics, one stop', async () => {
  const service = await startService(folder, { environment })
  assert.match(service.output(), /Processes +3\n/)
  assert.equal(service.output().split('is ready').length, 2)
  const helpers = await helpersOf(service)
  assert.equal(helpers.length, 2)
  assert.equal(await listeners(service), 3)

  const admin = await asAdmin(service, environment.ADMIN_PASSWORD)
  for (let made = 0; made < 6; made++)
    assert.equal((await admin.post('/api/v2/organisations', { name: `Number ${made}` })).status, 201)
  const before = await countedRequests(service, '/api/health')
  assert.deepEqual(new Set(await requestHealth(service, 60)), new Set([200]))
  assert.equal(await countedRequests(service, '/api/health'), before + 60)

  // A killed process is replaced, and what it counted stays counted.
  process.kill(helpers[0] as number, 'SIGKILL')
  await until(
    () => listeners(service),
    (count) => count === 3 && !isProcessAlive(helpers[0] as number),
  )
  assert.ok((await countedRequests(service, '/api/health')) >= before + 60)
  assert.deepEqual(new Set(await requestHealth(service, 30)), new Set([200]))

  // Another service cannot share the port by mistake.
  const { port } = new URL(service.address('Backend'))
  const other = launchService(await temporaryFolder(), { environment: { ...environment, PORT: port } })
  assert.equal((await other.ended).code, 1)
  assert.match(other.output(), new RegExp(`Port ${port} is in use`))

  const all = await helpersOf(service)
  service.signalGroup('SIGINT')
  assert.equal((await service.ended).code, 0, service.output())
  assert.deepEqual(await leftovers(folder), [])
  assert.deepEqual(all.filter(isProcessAlive), [])
})

test('the other processes end when the first one is killed, and the next start succeeds', async () => {
  const killed = await startService(folder, { environment })
  const helpers = await helpersOf(killed)
  killed.child.kill('SIGKILL')
  await until(
    async () => helpers.filter(isProcessAlive),
    (alive) => alive.length === 0,
  )
  const next = await startService(folder, { environment: { ...environment, ROLES: 'worker' } })
  assert.equal((await helpersOf(next)).length, 2)
  await next.stop()
  assert.deepEqual(await leftovers(folder), [])
})
