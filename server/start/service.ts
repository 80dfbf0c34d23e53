import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Database, isDatabaseAway, openDatabase } from '../../database/database.ts'
import { migrate } from '../../database/migrate.ts'
import { openWakeUps, type WakeUps } from '../../database/notifications.ts'
import { systemClock } from '../../platform/clock.ts'
import { createKeyring, type Keyring } from '../../platform/encryption.ts'
import { enableFaultPoints } from '../../platform/fault-points.ts'
import type { Logger } from '../../platform/log.ts'
import { createMetrics, type Metrics, serveMetrics } from '../../platform/metrics.ts'
import { openDiskStore, protectDiskStore } from '../../storage/disk-store.ts'
import type { FileStore } from '../../storage/file-store.ts'
import type { Lifecycle } from '../api/health.ts'
import { type AppSettings, buildApp, userAgentOf } from '../app.ts'
import { connectIdentityStore, createAuthentication, publishedKeys, sharedSecretKeys } from '../auth/index.ts'
import { startProcessing } from '../background/conversation-work.ts'
import { startHousekeeping } from '../background/housekeeping.ts'
import { createJobs, type Jobs } from '../background/queue.ts'
import type { Settings } from '../config.ts'
import { startUploadSweep } from '../conversations/index.ts'
import { openDataDir, type Secrets } from '../embedded/data-dir.ts'
import { EmbeddedIdentity } from '../embedded/identity-store.ts'
import { EmbeddedPostgres } from '../embedded/postgres.ts'
import { eraseFromReports, generateReport, recoverStalledReports } from '../reports/index.ts'
import {
  createEgress,
  createEmitter,
  type Egress,
  startWebhookWork,
  WAKE_CHANNEL,
} from '../webhooks/index.ts'
import { adminText, type Started } from './banner.ts'
import { engineWarnings } from './engine-warnings.ts'
import { type ChosenPort, choosePort, drain, listen, nameVariable } from './listen.ts'
import { openEngines } from './open-engines.ts'
import type { Shutdown } from './shutdown.ts'

const ROOT = join(import.meta.dirname, '../..')
const MIGRATIONS = join(import.meta.dirname, '../../database/migrations')

/** What both roles stand on. */
interface Ground {
  settings: Settings
  version: string
  secrets: Secrets | null
  databaseUrl: string
  database: Database
  keyring: Keyring
  egress: Egress
  wakeUps: WakeUps
  files: FileStore
  jobs: Jobs
  metrics: Metrics
  log: Logger
}

/** Starts what ROLES asks for, from the ground up; each step tells `shutdown` how to undo it. */
export async function startService(given: Settings, log: Logger, shutdown: Shutdown): Promise<Started> {
  // First of all, since links carry it.
  const port = await choosePort(given)
  const settings = { ...given, PORT: port.number }
  enableFaultPoints(settings.FAULT_POINTS, settings.FAULT_LOG)
  const dataDir = settings.DATA_DIR === undefined ? join(ROOT, 'data') : resolve(settings.DATA_DIR)
  const needsDataDir =
    !settings.DATABASE_URL || !settings.IDENTITY_URL || !settings.ENCRYPTION_KEY || !settings.FILES_URL
  const secrets = needsDataDir ? await openDataDir(dataDir) : null
  const files = await openFiles(
    settings.FILES_URL ? fileURLToPath(settings.FILES_URL) : join(dataDir, 'files'),
    log,
    shutdown,
  )

  const databaseUrl =
    settings.DATABASE_URL ?? (await startDatabase(dataDir, secrets as Secrets, log, shutdown))
  const metrics = createMetrics()
  const metricsUrl = await startMetrics(settings, metrics, shutdown)
  const ground = {
    ...layGround(settings, secrets, databaseUrl, log, shutdown),
    files,
    metrics,
    log,
    version: await readVersion(),
  }
  watchPool(metrics, ground.database)

  const lifecycle: Lifecycle = { migrated: false, stopping: false }
  if (!settings.ROLES.has('api')) {
    await prepareDatabase(ground)
    return {
      backend: null,
      identity: settings.IDENTITY_PUBLIC_URL ?? settings.IDENTITY_URL ?? null,
      metrics: metricsUrl,
      warnings: await startWorker(ground, shutdown),
    }
  }

  // Before the API, so that it is stopped after it: requests under way may need the store.
  const embedded = settings.IDENTITY_URL ? null : prepareIdentity(dataDir, log, shutdown)
  let identityUrl = settings.IDENTITY_URL ?? null
  const backendUrl = await startApi({ ...ground, port, identityUrl: () => identityUrl, lifecycle }, shutdown)
  await prepareDatabase(ground)
  // Only now, since the store needs the database too.
  identityUrl ??=
    (await embedded?.start(identitySettings(settings, secrets as Secrets, databaseUrl, backendUrl))) ?? null
  // After the store: whoever waited for `/api/ready` signs in next.
  lifecycle.migrated = true
  const warnings = await startWorker(ground, shutdown)
  const identity = settings.IDENTITY_PUBLIC_URL ?? identityUrl
  return { backend: backendUrl, identity, metrics: metricsUrl, warnings }
}

/** Permissions that earlier versions left too open are repaired while the service runs already. */
async function openFiles(folder: string, log: Logger, shutdown: Shutdown): Promise<FileStore> {
  const repair = await protectDiskStore(folder).catch((err: unknown) => {
    log.warn({ err, component: 'files' }, 'could not close the file store to other accounts')
    return null
  })
  const files = await openDiskStore(folder)
  const stopping = new AbortController()
  const repairing = repair?.({ signal: stopping.signal, log }).catch((err: unknown) =>
    log.warn({ err, component: 'files' }, 'could not repair file permissions; retrying at the next start'),
  )
  shutdown.add('file permissions', async () => {
    stopping.abort()
    await repairing
  })
  return files
}

function layGround(
  settings: Settings,
  secrets: Secrets | null,
  databaseUrl: string,
  log: Logger,
  shutdown: Shutdown,
) {
  const database = openDatabase({ url: databaseUrl, schema: 'parley', applicationName: 'parley', max: 20 })
  shutdown.add('database', () => database.close())
  const wakeUps = openWakeUps(databaseUrl, WAKE_CHANNEL)
  shutdown.add('wake-ups', () => wakeUps.close())
  const egress = createEgress({
    allowHttp: settings.WEBHOOK_ALLOW_HTTP,
    allowNetworks: settings.WEBHOOK_ALLOW_NETWORKS,
    proxy: settings.EGRESS_PROXY ?? null,
  })
  shutdown.add('egress', () => egress.close())
  const keyring = createKeyring(settings.ENCRYPTION_KEY ?? (secrets as Secrets).encryption_key)
  const jobs = createJobs({ url: databaseUrl, supervises: settings.ROLES.has('worker'), log })
  shutdown.add('jobs', () => jobs.stop(JOB_GRACE_MS))
  return { settings, secrets, databaseUrl, database, wakeUps, egress, jobs, keyring }
}

/** What is not done by then is retaken when the lease runs out. */
const JOB_GRACE_MS = 1_000

/** Stops beside the API: both give what is under way the same 8 seconds. Answers what its engines lack. */
async function startWorker(ground: Ground, shutdown: Shutdown): Promise<string[]> {
  const { settings, database, version, log } = ground
  if (!settings.ROLES.has('worker')) return []
  const housekeeping = startHousekeeping(database.db, settings.DELIVERY_LOG_DAYS, log)
  shutdown.addBeside('housekeeping', housekeeping.stop)
  shutdown.addBeside('uploads', startUploadSweep(database.db, ground.files, log).stop)
  const work = startWebhookWork({
    ...ground,
    tierGates: settings.TIER_GATES,
    userAgent: userAgentOf(version),
  })
  shutdown.addBeside('webhooks', work.stop)
  const engines = await openEngines(settings)
  const emit = createEmitter({ publicUrl: publicUrlOf(settings), tierGates: settings.TIER_GATES })
  const { db } = database
  const processing = await startProcessing({
    ...ground,
    db,
    emit,
    ...engines,
    report: (job) => generateReport({ db, emit, summarizer: engines.summarizer }, job),
    alsoErase: eraseFromReports,
    renewReports: () => recoverStalledReports(db, ground.jobs),
  })
  shutdown.addBeside('processing', async () => {
    await processing.stop()
    await engines.transcriber.close()
    await engines.summarizer.close()
  })
  const warnings = await engineWarnings(settings)
  for (const reason of warnings) log.warn({ reason, component: 'processing' }, 'an engine lacks something')
  return warnings
}

async function startDatabase(
  dataDir: string,
  secrets: Secrets,
  log: Logger,
  shutdown: Shutdown,
): Promise<string> {
  const postgres = new EmbeddedPostgres({ dataDir, password: secrets.database_password, log })
  shutdown.add('postgres', () => postgres.stop())
  return postgres.start()
}

async function startMetrics(settings: Settings, metrics: Metrics, shutdown: Shutdown): Promise<string> {
  const { METRICS_HOST, METRICS_PORT } = settings
  const server = await serveMetrics(metrics, METRICS_HOST, METRICS_PORT).catch((error: unknown) => {
    throw nameVariable(error, 'METRICS_PORT', METRICS_PORT)
  })
  shutdown.add('metrics', async () => server.close())
  return urlOf(METRICS_HOST, (server.address() as AddressInfo).port)
}

function watchPool({ gauge }: Metrics, { pool }: Database): void {
  gauge('parley_database_connections', 'Open connections to PostgreSQL', () => pool.totalCount)
  gauge('parley_database_waiting', 'Statements that wait for a connection', () => pool.waitingCount)
}

function prepareIdentity(dataDir: string, log: Logger, shutdown: Shutdown): EmbeddedIdentity {
  const pidFile = join(dataDir, 'identity.pid')
  const showAdmin = (email: string, password: string | null) =>
    process.stdout.write(adminText(email, password))
  const store = new EmbeddedIdentity({ pidFile, log, showAdmin })
  shutdown.add('identity', () => store.stop())
  return store
}

function identitySettings(
  settings: Settings,
  secrets: Secrets,
  databaseUrl: string,
  backendUrl: string,
): Record<string, string> {
  // Pages of the backend itself sign in there too.
  const origins = [...settings.ALLOWED_ORIGINS, new URL(backendUrl).origin]
  return {
    DATABASE_URL: databaseUrl,
    HOST: settings.HOST,
    IDENTITY_PORT: String(settings.IDENTITY_PORT),
    IDENTITY_PUBLIC_URL: settings.IDENTITY_PUBLIC_URL ?? '',
    IDENTITY_SECRET: settings.IDENTITY_SECRET ?? secrets.identity_secret,
    IDENTITY_ISSUER: settings.IDENTITY_ISSUER,
    IDENTITY_TOKEN: settings.IDENTITY_TOKEN ?? secrets.identity_token,
    ADMIN_EMAIL: settings.ADMIN_EMAIL,
    ADMIN_PASSWORD: settings.ADMIN_PASSWORD ?? '',
    SESSION_COOKIE_NAME: settings.SESSION_COOKIE_NAME,
    ALLOWED_ORIGINS: origins.join(','),
    TRUSTED_PROXIES: settings.TRUSTED_PROXIES.join(','),
    RATE_LIMITS: settings.RATE_LIMITS ? 'on' : 'off',
    LOG_LEVEL: settings.LOG_LEVEL,
  }
}

interface ApiParts extends Ground {
  port: ChosenPort
  identityUrl(): string | null
  lifecycle: Lifecycle
}

async function startApi(parts: ApiParts, shutdown: Shutdown): Promise<string> {
  const { settings, secrets, identityUrl, lifecycle, metrics } = parts
  const clock = systemClock
  const store = connectIdentityStore({
    url: identityUrl,
    token: settings.IDENTITY_TOKEN ?? secrets?.identity_token,
    metrics,
  })
  const authentication = createAuthentication({
    store,
    keys: settings.IDENTITY_JWKS_URL
      ? publishedKeys(settings.IDENTITY_JWKS_URL, clock)
      : sharedSecretKeys(settings.IDENTITY_SECRET ?? (secrets as Secrets).identity_secret),
    issuer: settings.IDENTITY_ISSUER,
    cookieName: settings.SESSION_COOKIE_NAME,
    checkSessions: settings.IDENTITY_CHECK_SESSIONS,
    clock,
    metrics,
  })
  const app = await buildApp({
    ...parts,
    settings: appSettings(settings, parts.version),
    store,
    authentication,
    clock,
  })
  await listen(app, settings.HOST, parts.port)
  shutdown.add('api', async () => {
    lifecycle.stopping = true
    await drain(app)
  })
  return publicUrlOf(settings)
}

async function readVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  return version
}

function appSettings(settings: Settings, version: string): AppSettings {
  return {
    version,
    publicUrl: publicUrlOf(settings),
    allowedOrigins: settings.ALLOWED_ORIGINS,
    trustedProxies: settings.TRUSTED_PROXIES,
    cookieName: settings.SESSION_COOKIE_NAME,
    tierGates: settings.TIER_GATES,
    confirmStaff: settings.IDENTITY_CONFIRM_STAFF,
    whoMayCreateOrganisations: settings.ORGANISATION_CREATION,
    webhooksByHttp: settings.WEBHOOK_ALLOW_HTTP,
    rateLimits: settings.RATE_LIMITS
      ? { perUser: settings.RATE_LIMIT_PER_USER, failuresPerAddress: settings.RATE_LIMIT_FAILURES }
      : null,
  }
}

const publicUrlOf = ({ PUBLIC_URL, HOST, PORT }: Settings): string => PUBLIC_URL ?? urlOf(HOST, PORT)

/** A database that is not there yet, or goes away again, is waited for; `/api/ready` says so meanwhile. Any other failure ends the start. */
async function prepareDatabase({ databaseUrl, jobs, log }: Ground): Promise<void> {
  await whenPossible(() => migrate({ url: databaseUrl, schema: 'parley', folder: MIGRATIONS, log }), log)
  await whenPossible(() => jobs.start(), log)
}

async function whenPossible(work: () => Promise<void>, log: Logger): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (err) {
      if (!isDatabaseAway(err)) throw err
      log.warn({ err, attempt }, 'the database is not there yet')
      await pause(Math.min(attempt * 250, 5_000))
    }
  }
}

const urlOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`
