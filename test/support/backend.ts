import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { SignJWT } from 'jose'
import { type Database, type DatabaseLimits, openDatabase } from '../../database/database.ts'
import { openWakeUps } from '../../database/notifications.ts'
import { settingsSchema as identitySettings } from '../../identity/config.ts'
import { startStore } from '../../identity/start.ts'
import { type Clock, systemClock } from '../../platform/clock.ts'
import { createKeyring, newEncryptionKey } from '../../platform/encryption.ts'
import { isUuid } from '../../platform/ids.ts'
import { createLog, type Logger } from '../../platform/log.ts'
import { createMetrics, type Metrics } from '../../platform/metrics.ts'
import { readSettings } from '../../platform/settings.ts'
import type { Lifecycle } from '../../server/api/health.ts'
import { type AppSettings, buildApp } from '../../server/app.ts'
import {
  connectIdentityStore,
  createAuthentication,
  sharedSecretKeys,
  type TokenKeys,
} from '../../server/auth/index.ts'
import { startProcessing } from '../../server/background/conversation-work.ts'
import { createJobs, type Jobs } from '../../server/background/queue.ts'
import { eraseFromReports, generateReport, recoverStalledReports } from '../../server/reports/index.ts'
import type { Summarizer } from '../../server/summaries/index.ts'
import type { Transcriber } from '../../server/transcription/index.ts'
import {
  createEgress,
  createEmitter,
  type EgressOptions,
  startWebhookWork,
  WAKE_CHANNEL,
} from '../../server/webhooks/index.ts'
import { openDiskStore } from '../../storage/disk-store.ts'
import type { FileStore } from '../../storage/file-store.ts'
import { testDatabase } from './database.ts'

export interface BackendOptions extends Partial<AppSettings> {
  clock?: Clock
  log?: Logger
  /** Of an identity store that the test runs itself; else the embedded one is started beside the backend. */
  identityUrl?: string
  /** How long it may take to answer, in milliseconds; the product's own limit is short for a busy machine. */
  identityLimitMs?: number
  keys?: TokenKeys
  checkSessions?: boolean
  /** What webhooks may reach; loopback by default, where the tests' receivers are. */
  egress?: Partial<EgressOptions>
  /** Whether deliveries are sent. */
  worker?: boolean
  /** Whether jobs can be enqueued, for nobody. */
  enqueues?: boolean
  /** Who hears and summarises: with them jobs are enqueued and done. */
  engines?: { transcriber: Transcriber; summarizer: Summarizer }
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
  jobs: Jobs
  /** The secret shared with the store. */
  secret: string
  encryptionKey: string
  /** Of the embedded store's first admin, who is staff. */
  admin: { email: string; password: string }
  /** An access token as the store would sign it. */
  token(claims: Record<string, unknown>): Promise<string>
  /** Makes users known to the embedded identity store, where it runs. */
  introduce(userIds: string[]): Promise<void>
  /** Speaks for one user, whom the embedded store knows, by a bearer token. */
  as(userId: string, claims?: Record<string, unknown>): Promise<Caller>
  stop(): Promise<void>
}

export interface Reply {
  status: number
  headers: Headers
  // Tests read answers of many shapes; their assertions are the types.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any
  text: string
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
  whoMayCreateOrganisations: 'any',
  webhooksByHttp: true,
  rateLimits: null,
}

/** The service's own limits are short for a machine that runs several test files at once: it has stood still for 5 s. */
const PATIENCE: Partial<DatabaseLimits> = { connect: 60_000, statement: 60_000, silence: 70_000 }

const LOOPBACK = ['127.0.0.0/8', '::1/128']

/** The real backend on a database of its own, listening on a free port, with the embedded identity store beside it. */
export async function startBackend(options: BackendOptions = {}): Promise<TestBackend> {
  const {
    clock = systemClock,
    log = createLog('silent'),
    checkSessions = true,
    identityUrl,
    identityLimitMs: limitMs = 60_000,
    keys,
    egress: egressOptions,
    worker = false,
    enqueues = options.engines !== undefined,
    engines,
    ...overrides
  } = options
  const database = await testDatabase()
  const secret = randomBytes(32).toString('hex')
  const identityToken = randomBytes(32).toString('hex')
  const admin = { email: 'admin@example.com', password: randomBytes(12).toString('hex') }
  const settings = { ...DEFAULTS, ...overrides }

  async function startIdentity() {
    const environment = {
      DATABASE_URL: database.url,
      IDENTITY_PORT: '0',
      IDENTITY_SECRET: secret,
      IDENTITY_TOKEN: identityToken,
      ADMIN_PASSWORD: admin.password,
      RATE_LIMITS: 'off',
      ALLOWED_ORIGINS: settings.allowedOrigins.join(','),
    }
    return startStore(readSettings(identitySettings, environment), createLog('silent'), async () => {})
  }

  async function startJobs(chosen: NonNullable<BackendOptions['engines']>) {
    const emit = createEmitter(settings)
    return startProcessing({
      db: opened.db,
      files,
      jobs,
      emit,
      metrics,
      log,
      ...chosen,
      report: (job) => generateReport({ db: opened.db, emit, summarizer: chosen.summarizer }, job),
      alsoErase: eraseFromReports,
      renewReports: () => recoverStalledReports(opened.db, jobs),
      sweepEveryMs: 200,
    })
  }

  const opened = openDatabase({
    url: database.url,
    schema: 'parley',
    applicationName: 'parley-test',
    max: 8,
    limits: PATIENCE,
  })
  const metrics = createMetrics()
  let storeUrl = identityUrl ?? ''
  const store = connectIdentityStore({ url: () => storeUrl, token: identityToken, metrics, limitMs })
  const authentication = createAuthentication({
    store,
    keys: keys ?? sharedSecretKeys(secret),
    issuer: 'directus',
    cookieName: settings.cookieName,
    checkSessions,
    clock,
    metrics,
  })
  const lifecycle: Lifecycle = { migrated: true, stopping: false }
  const encryptionKey = newEncryptionKey()
  const keyring = createKeyring(encryptionKey)
  const egress = createEgress({ allowHttp: true, allowNetworks: LOOPBACK, proxy: null, ...egressOptions })
  const wakeUps = openWakeUps(database.url, WAKE_CHANNEL)
  const filesFolder = await mkdtemp(join(tmpdir(), 'parley-files-'))
  const files = await openDiskStore(filesFolder)
  const jobs = createJobs({ url: database.url, supervises: true, log })
  const app = await buildApp({
    settings,
    files,
    jobs,
    database: opened,
    store,
    authentication,
    keyring,
    egress,
    wakeUps,
    lifecycle,
    clock,
    log,
    metrics,
  })
  const { tierGates } = settings
  const shared = { databaseUrl: database.url, database: opened, egress, keyring, wakeUps, metrics, log }
  const work = worker ? startWebhookWork({ ...shared, tierGates, userAgent: 'Parley-Webhooks/0.0.0' }) : null
  if (enqueues) await jobs.start()
  const processing = engines ? await startJobs(engines) : null
  // Last, since a store that was left running by a failure above would keep the test file from ending.
  const embedded = identityUrl === undefined ? await startIdentity() : null
  storeUrl = embedded?.url ?? storeUrl
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const token = (claims: Record<string, unknown>) => signToken(secret, claims, clock)
  const introduce = async (userIds: string[]) => {
    if (!embedded) return
    await opened.pool.query(
      'insert into identity.users (id) select unnest($1::uuid[]) on conflict do nothing',
      [userIds.filter(isUuid)],
    )
  }

  return {
    url,
    identityUrl: storeUrl,
    app,
    database: opened,
    databaseUrl: database.url,
    lifecycle,
    metrics,
    files,
    filesFolder,
    jobs,
    secret,
    encryptionKey,
    admin,
    token,
    introduce,
    as: async (userId, claims = {}) => {
      await introduce([userId])
      return callerOf(url, userId, await token({ id: userId, ...claims }))
    },
    stop: async () => {
      await app.close()
      await work?.stop()
      await processing?.stop()
      if (enqueues) await jobs.stop(1_000)
      await engines?.transcriber.close()
      await engines?.summarizer.close()
      await egress.close()
      await wakeUps.close()
      await embedded?.stop()
      await opened.close()
      await database.drop()
      await rm(filesFolder, { recursive: true, force: true })
    },
  }
}

/** By the backend's clock: on a busy machine a start takes longer than a clock that stands still lets a token be ahead. */
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

/** One request; an object becomes a JSON body, a string or bytes go out as they are. */
export async function request(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const raw = typeof body === 'string' || body instanceof Uint8Array
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(body === undefined || raw ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parseJson(text) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const newUser = (): string => randomUUID()
