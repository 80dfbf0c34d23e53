import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { EmbeddedPostgres } from '../../server/embedded/postgres.ts'
import { newEncryptionKey } from '../../server/kernel/encryption.ts'
import { createLog } from '../../server/kernel/log.ts'
import { migrate } from '../../server/kernel/migrate.ts'
import { type ApiClient, apiClient } from './api-client.ts'
import { CANARY } from './occurrences.ts'
import type { ProducerOptions } from './producer.ts'
import { type Receiver, type ReceiverPlan, startReceiver } from './receiver.ts'
import { Supervised } from './supervised.ts'
import { startProxy, type TcpProxy } from './tcp-proxy.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A process and the cable between it and PostgreSQL. */
export interface Part {
  process: Supervised
  link: TcpProxy
}

export interface WorldOptions {
  seed: string
  dispatchers: number
  receivers: readonly ReceiverPlan[]
  user: string
}

/** What the producer said that it was told. */
interface Progress {
  committed: Set<number>
  undone: Set<number>
  /** Errors that a database which is away does not explain. */
  trouble: string[]
}

/** Everything real: PostgreSQL, the service's processes, their receivers; each of them can be hurt alone. */
export interface World {
  folder: string
  /** The way to PostgreSQL that no fault touches. */
  databaseUrl: string
  receiver: Receiver
  api: Part
  dispatchers: Part[]
  /** A dispatcher whose process is left alone. */
  survivor: Part
  client: ApiClient
  startProducer(projects: string[], perSecond: number): Promise<Part>
  progress: Progress
  parts(): Part[]
  /** `pg_ctl -m immediate restart`: no goodbye, no checkpoint. Resolves when it answers again. */
  crashPostgres(): Promise<void>
  /** What must not stand in any log. */
  secrets: string[]
  logsOf(part: Part): Promise<string>
  stop(): Promise<void>
  remove(): Promise<void>
}

export async function startWorld({ seed, dispatchers, receivers, user }: WorldOptions): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'parley faults '))
  await chmod(folder, 0o711)
  const password = randomBytes(16).toString('hex')
  const postgres = new EmbeddedPostgres({
    dataDir: folder,
    password,
    log: createLog('silent'),
    settings: ['max_connections=400'],
  })
  const parts: Part[] = []
  const others: { stop(): Promise<void> }[] = []
  const stopAll = async () => {
    await Promise.allSettled(parts.map(({ process }) => process.stop()))
    await Promise.allSettled([...parts.map(({ link }) => link), ...others].map((one) => one.stop()))
    await postgres.stop()
  }
  const crashAtExit = () => void signalPostmaster(folder)
  process.on('exit', crashAtExit)

  try {
    const databaseUrl = await postgres.start()
    await prepareDatabase(databaseUrl)
    const receiver = await startReceiver(folder, seed, receivers)
    others.push(receiver)

    const identitySecret = randomBytes(32).toString('hex')
    const encryptionKey = newEncryptionKey()
    const common = {
      ENCRYPTION_KEY: encryptionKey,
      // Nobody is there: access tokens are verified by the secret alone.
      IDENTITY_URL: 'http://127.0.0.1:9',
      IDENTITY_SECRET: identitySecret,
      TIER_GATES: 'off',
      RATE_LIMITS: 'off',
      WEBHOOK_ALLOW_HTTP: 'on',
      WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
      PORT: '0',
      METRICS_PORT: '0',
      NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node-compile'),
    }
    const startPart = async (
      name: string,
      script: string,
      ready: string,
      environment: (url: string) => Record<string, string>,
      onLine?: (line: string) => void,
    ): Promise<Part> => {
      const { hostname, port } = new URL(databaseUrl)
      const link = await startProxy({ host: hostname, port: Number(port) })
      const through = new URL(databaseUrl)
      through.port = String(link.port)
      const process = new Supervised(folder, {
        name,
        script,
        ready,
        environment: () => environment(through.href),
        ...(onLine ? { onLine } : {}),
      })
      const part = { process, link }
      parts.push(part)
      return part
    }
    const service = (name: string, roles: string) =>
      startPart(name, join(ROOT, 'server/main.ts'), 'Ctrl-C stops it.', (url) => ({
        ...common,
        ROLES: roles,
        DATABASE_URL: url,
      }))

    const api = await service('api', 'api')
    const dispatcherParts = await Promise.all(
      Array.from({ length: dispatchers }, (_, index) => service(`dispatcher-${index + 1}`, 'worker')),
    )
    const survivor = await service('survivor', 'worker')
    await Promise.all(parts.map((part) => part.process.up()))
    const progress: Progress = { committed: new Set(), undone: new Set(), trouble: [] }

    return {
      folder,
      databaseUrl,
      receiver,
      api,
      dispatchers: dispatcherParts,
      survivor,
      client: apiClient(() => api.process.addresses.get('Backend'), identitySecret, user),
      startProducer: (projects, perSecond) => {
        const since = Date.now()
        return startPart(
          'producer',
          join(import.meta.dirname, 'producer.ts'),
          'producing',
          (url) => {
            const first = firstOpen(progress)
            const options: ProducerOptions = { databaseUrl: url, seed, projects, first, perSecond, since }
            return { PRODUCER: JSON.stringify(options) }
          },
          (line) => note(progress, line),
        )
      },
      progress,
      parts: () => parts,
      crashPostgres: () => crash(folder, databaseUrl),
      secrets: [
        password,
        identitySecret,
        encryptionKey,
        ...receivers.flatMap(({ secret }) => secret ?? []),
        CANARY,
      ],
      logsOf: ({ process }) => readFile(join(folder, `${process.name}.log`), 'utf8'),
      stop: async () => {
        await stopAll()
        process.off('exit', crashAtExit)
      },
      remove: () => rm(folder, { recursive: true, force: true }),
    }
  } catch (error) {
    await stopAll()
    throw error
  }
}

/** The ledger is written by the producer in the transaction of the event: it says what was committed. */
async function prepareDatabase(url: string): Promise<void> {
  const folder = join(ROOT, 'server/kernel/migrations')
  await migrate({ url, schema: 'parley', folder, log: createLog('silent') })
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`create table parley.faults_ledger (
    key text primary key, project_id uuid not null, began_at timestamptz not null default now())`)
  await client.end()
}

function firstOpen({ committed, undone }: Progress): number {
  let first = 0
  while (committed.has(first) || undone.has(first)) first++
  return first
}

function note({ committed, undone, trouble }: Progress, line: string): void {
  const [word, ...rest] = line.split(' ')
  if (word === 'committed') committed.add(Number(rest[0]))
  else if (word === 'undone') undone.add(Number(rest[0]))
  else if (word === 'trouble') trouble.push(rest.join(' '))
}

function postmasterOf(folder: string): number {
  try {
    return Number(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return 0
  }
}

/** What `pg_ctl -m immediate` sends. */
function signalPostmaster(folder: string): number {
  const pid = postmasterOf(folder)
  try {
    if (pid > 0) process.kill(pid, 'SIGQUIT')
  } catch {
    // It is gone already.
  }
  return pid
}

/** Whoever started it brings it back: here, the service's own embedded PostgreSQL. */
async function crash(folder: string, url: string): Promise<void> {
  const before = signalPostmaster(folder)
  while (postmasterOf(folder) === before || !(await answers(url))) await pause(20)
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
