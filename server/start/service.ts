import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseAway } from '../../database/database.ts'
import { migrate } from '../../database/migrate.ts'
import { checkRoleSettings } from '../../database/pooler.ts'
import manifest from '../../package.json' with { type: 'json' }
import { enableFaultPoints } from '../../platform/fault-points.ts'
import type { Logger } from '../../platform/log.ts'
import { type Metrics, serveMetrics } from '../../platform/metrics.ts'
import type { StandardOutput } from '../../platform/standard-output.ts'
import type { Lifecycle } from '../api/health.ts'
import type { AppSettings } from '../app.ts'
import { publishedKeys, sharedSecretKeys } from '../auth/index.ts'
import { createApi, createInfrastructure, type Infrastructure, startWorker } from '../compose.ts'
import type { Settings } from '../config.ts'
import { openDataDir, type Secrets } from '../embedded/data-dir.ts'
import { EmbeddedIdentity } from '../embedded/identity-store.ts'
import { EmbeddedPostgres } from '../embedded/postgres.ts'
import { buildPages } from '../pages/build-pages.ts'
import type { Banner, Started } from './banner.ts'
import { engineWarnings } from './engine-warnings.ts'
import { type ChosenPort, choosePort, drain, listen, nameVariable } from './listen.ts'
import { openEngines } from './open-engines.ts'
import { openFiles } from './open-files.ts'
import type { Shutdown } from './shutdown.ts'

const ROOT = join(import.meta.dirname, '../..')
const MIGRATIONS = join(ROOT, 'database/migrations')

export interface Surroundings {
  log: Logger
  /** Where the log lines of the embedded identity store go. */
  output: StandardOutput
  shutdown: Shutdown
  banner: Banner
}

interface Process extends Surroundings {
  settings: Settings
  /** Null where every secret is a setting. */
  secrets: Secrets | null
  dataDir: string
}

/** Starts the roles of this process; each step registers with `shutdown` how to undo it. */
export async function startService(given: Settings, surroundings: Surroundings): Promise<Started> {
  const { log, shutdown } = surroundings
  // First, since links carry the port.
  const port = await choosePort(given)
  const settings = { ...given, PORT: port.number }
  enableFaultPoints(settings.FAULT_POINTS, settings.FAULT_LOG)
  // Beside the database, which takes longer. A failure is reported where the pages are needed.
  const pages = settings.ROLES.has('api') ? buildPages() : Promise.resolve()
  pages.catch(() => {})
  const dataDir = settings.DATA_DIR === undefined ? join(ROOT, 'data') : resolve(settings.DATA_DIR)
  const needsDataDir =
    !settings.DATABASE_URL || !settings.IDENTITY_URL || !settings.ENCRYPTION_KEY || !settings.FILES_URL
  const secrets = needsDataDir ? await openDataDir(dataDir) : null
  const self: Process = { ...surroundings, settings, secrets, dataDir }

  const { files, observe } = await openFiles(self)
  const databaseUrl = settings.DATABASE_URL ?? (await startDatabase(self, secrets as Secrets))
  const infrastructure = createInfrastructure({
    databaseUrl,
    databaseDirectUrl: settings.DATABASE_DIRECT_URL,
    files,
    log,
    encryptionKey: settings.ENCRYPTION_KEY ?? (secrets as Secrets).encryption_key,
    egress: {
      allowHttp: settings.WEBHOOK_ALLOW_HTTP,
      allowNetworks: settings.WEBHOOK_ALLOW_NETWORKS,
      proxy: settings.EGRESS_PROXY ?? null,
    },
    supervisesJobs: settings.ROLES.has('worker'),
  })
  shutdown.add('infrastructure', infrastructure.close)
  observe(infrastructure.metrics)
  const started = {
    version: manifest.version,
    data: needsDataDir ? dataDir : null,
    metrics: await startMetrics(self, infrastructure.metrics),
  }

  if (!settings.ROLES.has('api')) {
    await prepareDatabase(self, infrastructure)
    const warnings = await runWorker(self, infrastructure)
    return { ...started, backend: null, identity: publicIdentityUrl(settings, null), warnings }
  }

  // Before the API, so that it stops after it: requests in progress may need the identity store.
  const embedded = settings.IDENTITY_URL ? null : prepareIdentity(self)
  const lifecycle: Lifecycle = { migrated: false, stopping: false }
  let identityUrl = settings.IDENTITY_URL ?? null
  await pages
  await runApi(self, infrastructure, { port, lifecycle, identityUrl: () => identityUrl })
  await prepareDatabase(self, infrastructure)
  // Only now, since the identity store needs the database, too.
  if (embedded) identityUrl = await embedded.start(identitySettings(self, infrastructure.databaseUrl))
  // Set after the identity store has started: clients that wait for `/api/ready` sign in next.
  lifecycle.migrated = true
  const warnings = settings.ROLES.has('worker') ? await runWorker(self, infrastructure) : []
  return {
    ...started,
    backend: publicUrlOf(settings),
    identity: publicIdentityUrl(settings, identityUrl),
    warnings,
  }
}

const publicIdentityUrl = ({ IDENTITY_PUBLIC_URL, IDENTITY_URL }: Settings, started: string | null) =>
  IDENTITY_PUBLIC_URL ?? IDENTITY_URL ?? started

async function startDatabase({ dataDir, log, shutdown }: Process, secrets: Secrets): Promise<string> {
  const postgres = new EmbeddedPostgres({ dataDir, password: secrets.database_password, log })
  shutdown.add('postgres', () => postgres.stop())
  return postgres.start()
}

async function startMetrics({ settings, shutdown }: Process, metrics: Metrics): Promise<string> {
  const { METRICS_HOST, METRICS_PORT } = settings
  const server = await serveMetrics(metrics, METRICS_HOST, METRICS_PORT).catch((error: unknown) => {
    throw nameVariable(error, 'METRICS_PORT', METRICS_PORT)
  })
  shutdown.add('metrics', async () => server.close())
  return urlOf(METRICS_HOST, (server.address() as AddressInfo).port)
}

function prepareIdentity({ dataDir, shutdown, banner, ...rest }: Process): EmbeddedIdentity {
  const pidFile = join(dataDir, 'identity.pid')
  const store = new EmbeddedIdentity({ ...rest, pidFile, showAdmin: banner.admin })
  shutdown.add('identity', () => store.stop())
  return store
}

function identitySettings(self: Process, databaseUrl: string): Record<string, string> {
  const { settings } = self
  const secrets = self.secrets as Secrets
  // Pages of the backend sign in there, too.
  const origins = [...settings.ALLOWED_ORIGINS, new URL(publicUrlOf(settings)).origin]
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

interface ApiRun {
  port: ChosenPort
  lifecycle: Lifecycle
  identityUrl(): string | null
}

async function runApi(self: Process, infrastructure: Infrastructure, run: ApiRun): Promise<void> {
  const { settings, secrets, shutdown } = self
  const app = await createApi(infrastructure, {
    settings: appSettings(settings),
    lifecycle: run.lifecycle,
    identity: {
      url: run.identityUrl,
      publicUrl: () => publicIdentityUrl(settings, run.identityUrl()),
      token: settings.IDENTITY_TOKEN ?? secrets?.identity_token,
      keys: settings.IDENTITY_JWKS_URL
        ? publishedKeys(settings.IDENTITY_JWKS_URL, infrastructure.clock)
        : sharedSecretKeys(settings.IDENTITY_SECRET ?? (secrets as Secrets).identity_secret),
      issuer: settings.IDENTITY_ISSUER,
      checkSessions: settings.IDENTITY_CHECK_SESSIONS,
    },
  })
  await listen(app, settings.HOST, run.port)
  shutdown.add('api', async () => {
    run.lifecycle.stopping = true
    await drain(app)
  })
}

/** Stops at the same time as the API: both give work in progress the same 8 seconds. Returns the warnings of its engines. */
async function runWorker(self: Process, infrastructure: Infrastructure): Promise<string[]> {
  const { settings, log, shutdown } = self
  const worker = startWorker(infrastructure, {
    settings: appSettings(settings),
    groups: ['webhooks', 'conversations', 'housekeeping'],
    engines: () => openEngines(settings, log),
    logDays: settings.DELIVERY_LOG_DAYS,
  })
  shutdown.addToLast('worker', worker.stop)
  await worker.ready
  const warnings = await engineWarnings(settings)
  for (const reason of warnings) log.warn({ reason, component: 'engines' }, 'Check the engine settings')
  return warnings
}

const appSettings = (settings: Settings): AppSettings => ({
  version: manifest.version,
  publicUrl: publicUrlOf(settings),
  allowedOrigins: settings.ALLOWED_ORIGINS,
  trustedProxies: settings.TRUSTED_PROXIES,
  cookieName: settings.SESSION_COOKIE_NAME,
  tierGates: settings.TIER_GATES,
  confirmStaff: settings.IDENTITY_CONFIRM_STAFF,
  organisationCreation: settings.ORGANISATION_CREATION,
  allowHttpWebhooks: settings.WEBHOOK_ALLOW_HTTP,
  // A speech server gets each chunk in a separate request and can cut words at its edges; longer chunks have fewer edges.
  chunkSeconds: settings.TRANSCRIBER === 'openai' ? 10 : 5,
  rateLimits: settings.RATE_LIMITS
    ? { perUser: settings.RATE_LIMIT_PER_USER, failuresPerAddress: settings.RATE_LIMIT_FAILURES }
    : null,
})

const publicUrlOf = ({ PUBLIC_URL, HOST, PORT }: Settings): string => PUBLIC_URL ?? urlOf(HOST, PORT)

/** Waits for an unreachable database, while `/api/ready` returns 503. Any other failure ends the start. */
async function prepareDatabase(
  { settings }: Process,
  { databaseUrl, database, jobs, log }: Infrastructure,
): Promise<void> {
  await retryWhileAway(() => migrate({ url: databaseUrl, schema: 'parley', folder: MIGRATIONS, log }), log)
  if (settings.DATABASE_DIRECT_URL) await retryWhileAway(() => checkRoleSettings(database.pool), log)
  await retryWhileAway(() => jobs.start(), log)
}

async function retryWhileAway(work: () => Promise<void>, log: Logger): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (err) {
      if (!isDatabaseAway(err)) throw err
      const waitMs = Math.min(attempt * 250, 5_000)
      const fields = { err, attempt, component: 'database' }
      log.warn(fields, `Database unreachable; retrying in ${waitMs / 1_000} s`)
      await pause(waitMs)
    }
  }
}

const urlOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`
