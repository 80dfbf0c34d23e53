import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { SignJWT } from 'jose'
import type { Database, DatabaseLimits } from '../../database/database.ts'
import type { EgressOptions } from '../../delivery/index.ts'
import { createPasswords } from '../../identity/auth/passwords.ts'
import { settingsSchema as identitySettings } from '../../identity/config.ts'
import { startStore } from '../../identity/start.ts'
import { CHEAP } from '../../identity/testing/store-in-process.ts'
import { type Clock, systemClock } from '../../platform/clock.ts'
import { newEncryptionKey } from '../../platform/encryption.ts'
import { isUuid } from '../../platform/ids.ts'
import { createLog, type Logger } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { readSettings } from '../../platform/settings.ts'
import type { Lifecycle } from '../../server/api/health.ts'
import type { AppSettings } from '../../server/app.ts'
import { sharedSecretKeys, type TokenKeys } from '../../server/auth/index.ts'
import type { JobQueue } from '../../server/background/jobs.ts'
import { schedule } from '../../server/background/schedule.ts'
import {
  createApi,
  createInfrastructure,
  createTasks,
  type Engines,
  startWorker,
} from '../../server/compose.ts'
import { openDiskStore } from '../../storage/disk-store.ts'
import type { FileStore } from '../../storage/file-store.ts'
import { testDatabase } from './database.ts'
import { type Reply, request } from './request.ts'

export { type Reply, request } from './request.ts'

export interface BackendOptions extends Partial<AppSettings> {
  clock?: Clock
  log?: Logger
  /** The URL of an identity store that the test runs instead of the embedded one. */
  identityUrl?: string
  /** The timeout of requests to it; that of the service is too short for a busy machine. */
  identityLimitMs?: number
  keys?: TokenKeys
  checkSessions?: boolean
  /** Networks that webhooks can reach; loopback by default, where the receivers of the tests are. */
  egress?: Partial<EgressOptions>
  /** The port, where the public URL has to name it; otherwise a free one. */
  port?: number
  /** Whether deliveries are sent. */
  worker?: boolean
  /** Whether jobs can be enqueued although none runs. */
  enqueues?: boolean
  /** With them jobs are enqueued and run. */
  engines?: Engines
  /** Prepares the database for a pooler, and returns its URL there. */
  throughPooler?(databaseUrl: string): Promise<string>
  /** A file store that the test opened; otherwise a folder. */
  files?: FileStore
  /** Another backend. This one is a second process of the same service, with its database, identity store, secrets and files. */
  peerOf?: TestBackend
}

export interface TestBackend {
  url: string
  identityUrl: string
  app: FastifyInstance
  database: Database
  databaseUrl: string
  lifecycle: Lifecycle
  metrics: Metrics
  files: FileStore
  /** The folder of `files`. */
  filesFolder: string
  jobs: JobQueue
  /** Runs a periodic task of background/schedule.ts once, by its name. */
  runTask(name: string): Promise<unknown>
  /** The secret shared with the store. */
  secret: string
  encryptionKey: string
  /** The credentials of the embedded store's first administrator, who is staff. */
  admin: { email: string; password: string }
  /** An access token as the identity store would sign it. */
  token(claims: Record<string, unknown>): Promise<string>
  /** Creates users in the embedded identity store, if it runs. */
  introduce(userIds: string[]): Promise<void>
  /** Sends requests with the bearer token of a user that the embedded store knows. */
  as(userId: string, claims?: Record<string, unknown>): Promise<Caller>
  stop(): Promise<void>
}

export interface Caller {
  userId: string
  token: string
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  get(path: string, headers?: Record<string, string>): Promise<Reply>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
}

const DEFAULTS: AppSettings = {
  version: '0.0.0',
  publicUrl: 'http://parley.test',
  allowedOrigins: [],
  trustedProxies: [],
  cookieName: 'service_session_token',
  tierGates: true,
  confirmStaff: false,
  organisationCreation: 'any',
  allowHttpWebhooks: true,
  chunkSeconds: 5,
  rateLimits: null,
}

/** The limits of the service are too short for a machine that runs several test files: it has paused for 5 s. */
const DATABASE_LIMITS: Partial<DatabaseLimits> = { connect: 60_000, statement: 60_000, idleTimeoutMs: 70_000 }

const LOOPBACK = ['127.0.0.0/8', '::1/128']
const LOG_DAYS = 30

/** The real backend with its own database, on a free port, and the embedded identity store. */
export async function startBackend(options: BackendOptions = {}): Promise<TestBackend> {
  const {
    clock = systemClock,
    log = createLog('silent'),
    checkSessions = true,
    peerOf,
    identityUrl = peerOf?.identityUrl,
    identityLimitMs: limitMs = 60_000,
    keys,
    egress,
    port = 0,
    worker: sendsDeliveries = false,
    enqueues = options.engines !== undefined,
    engines,
    throughPooler,
    files: ownFiles = peerOf?.files,
    ...overrides
  } = options
  const settings = { ...DEFAULTS, ...overrides }
  const secret = peerOf?.secret ?? randomBytes(32).toString('hex')
  const identityToken = randomBytes(32).toString('hex')
  const encryptionKey = peerOf?.encryptionKey ?? newEncryptionKey()
  const admin = { email: 'admin@example.com', password: randomBytes(12).toString('hex') }
  const stack = new AsyncDisposableStack()

  const { url: databaseUrl, drop } = peerOf
    ? { url: peerOf.databaseUrl, drop: async () => {} }
    : await testDatabase()
  stack.defer(drop)
  const filesFolder = await mkdtemp(join(tmpdir(), 'parley-files-'))
  stack.defer(() => rm(filesFolder, { recursive: true, force: true, maxRetries: 10 }))
  const infrastructure = createInfrastructure({
    databaseUrl: (await throughPooler?.(databaseUrl)) ?? databaseUrl,
    databaseDirectUrl: throughPooler && databaseUrl,
    files: ownFiles ?? (await openDiskStore(filesFolder)),
    encryptionKey,
    egress: { allowHttp: true, allowNetworks: LOOPBACK, proxy: null, ...egress },
    supervisesJobs: true,
    log,
    clock,
    connections: { applicationName: 'parley-test', max: 8, limits: DATABASE_LIMITS },
  })
  stack.defer(infrastructure.close)
  const { database, files, jobs, metrics } = infrastructure

  const startIdentity = () =>
    startStore(
      readSettings(identitySettings, {
        DATABASE_URL: databaseUrl,
        IDENTITY_PORT: '0',
        IDENTITY_SECRET: secret,
        IDENTITY_TOKEN: identityToken,
        ADMIN_PASSWORD: admin.password,
        RATE_LIMITS: 'off',
        ALLOWED_ORIGINS: settings.allowedOrigins.join(','),
      }),
      createLog('silent'),
      async () => {},
      createPasswords(CHEAP),
    )

  const lifecycle: Lifecycle = { migrated: true, stopping: false }
  let storeUrl = identityUrl ?? ''
  const identity = { url: () => storeUrl, token: identityToken, limitMs, issuer: 'directus', checkSessions }
  const app = await createApi(infrastructure, {
    settings,
    lifecycle,
    identity: { ...identity, keys: keys ?? sharedSecretKeys(secret) },
  })
  if (enqueues) await jobs.start()
  const worker = startWorker(infrastructure, {
    settings,
    groups: [
      ...(sendsDeliveries ? ['webhooks' as const] : []),
      ...(engines ? ['conversations' as const] : []),
    ],
    ...(engines && { engines: async () => engines }),
    logDays: LOG_DAYS,
    intervals: { 'abandoned-conversations': 200, retention: 200 },
  })
  stack.defer(worker.stop)
  await worker.ready
  // Last, since an identity store left running by a failure above would keep the test file from ending.
  const embedded = identityUrl === undefined ? await startIdentity() : null
  if (embedded) stack.defer(() => embedded.stop())
  storeUrl = embedded?.url ?? storeUrl
  await app.listen({ host: '127.0.0.1', port })
  stack.defer(() => app.close())
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const token = (claims: Record<string, unknown>) => signToken(secret, claims, clock)
  const introduce = async (userIds: string[]) => {
    if (!embedded) return
    await database.pool.query(
      'insert into identity.users (id) select unnest($1::uuid[]) on conflict do nothing',
      [userIds.filter(isUuid)],
    )
  }
  const runTask = async (name: string) => {
    const groups = Object.keys(schedule) as (keyof typeof schedule)[]
    const tasks = createTasks(infrastructure, { settings, groups, logDays: LOG_DAYS })
    const task = tasks.find((one) => one.name === name)
    return task?.run(new AbortController().signal)
  }

  return {
    url,
    identityUrl: storeUrl,
    app,
    database,
    databaseUrl,
    lifecycle,
    metrics,
    files,
    filesFolder,
    jobs,
    runTask,
    secret,
    encryptionKey,
    admin,
    token,
    introduce,
    as: async (userId, claims = {}) => {
      await introduce([userId])
      return callerOf(url, userId, await token({ id: userId, ...claims }))
    },
    stop: () => stack.disposeAsync(),
  }
}

/** By the clock of the backend: on a busy machine a start takes longer than the tolerated clock skew. */
async function signToken(secret: string, claims: Record<string, unknown>, clock: Clock): Promise<string> {
  const now = Math.floor(clock.now() / 1000)
  const full = {
    role: null,
    app_access: true,
    admin_access: false,
    iat: now,
    exp: now + 900,
    iss: 'directus',
    ...claims,
  }
  return new SignJWT(full)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(secret))
}

export function callerOf(url: string, userId: string, token: string): Caller {
  const send: Caller['send'] = (method, path, body, headers = {}) =>
    request(`${url}${path}`, method, body, { authorization: `Bearer ${token}`, ...headers })
  return {
    userId,
    token,
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
  }
}

export const newUser = (): string => randomUUID()
