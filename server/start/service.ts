import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseUnavailable } from '../../database/database.ts'
import { migrate } from '../../database/migrate.ts'
import { checkRoleSettings } from '../../database/pooler.ts'
import manifest from '../../package.json' with { type: 'json' }
import { enableFaultPoints } from '../../platform/fault-points.ts'
import type { Logger } from '../../platform/log.ts'
import { type Metrics, type MetricsSnapshot, serveMetrics } from '../../platform/metrics.ts'
import type { StandardOutput } from '../../platform/standard-output.ts'
import type { Lifecycle } from '../api/health.ts'
import { type Infrastructure, startWorker } from '../compose.ts'
import type { Settings } from '../config.ts'
import { openDataDir, type Secrets } from '../embedded/data-dir.ts'
import { EmbeddedIdentity } from '../embedded/identity-store.ts'
import { EmbeddedPostgres } from '../embedded/postgres.ts'
import { readFaultPoints } from '../fault-points.ts'
import { buildPages } from '../pages/build-pages.ts'
import type { Banner, Started } from './banner.ts'
import { engineWarnings } from './engine-warnings.ts'
import { type Helpers, startHelpers } from './helpers.ts'
import { choosePort, nameVariable } from './listen.ts'
import { openEngines } from './open-engines.ts'
import { openFiles } from './open-files.ts'
import { connectionsFor, processesFor, wantedProcesses } from './process-count.ts'
import {
  appSettings,
  type Keys,
  openInfrastructure,
  publicIdentityUrl,
  publicUrlOf,
  runApi,
  urlOf,
} from './roles.ts'
import type { Shutdown } from './shutdown.ts'

const ROOT = join(import.meta.dirname, '../..')
const MIGRATIONS = join(ROOT, 'database/migrations')

export interface StartContext {
  log: Logger
  /** Where the log lines of the embedded identity store go. */
  output: StandardOutput
  shutdown: Shutdown
  banner: Banner
}

interface Process extends StartContext {
  settings: Settings
  keys: Keys
  dataDir: string
}

/** Starts the roles of this process and its helpers; each step registers with `shutdown` how to undo it. */
export async function startService(given: Settings, context: StartContext): Promise<Started> {
  const { log, shutdown } = context
  // Other systems do not spread the connections of a port over processes.
  const cores = process.platform === 'linux' ? availableParallelism() : 1
  const wanted = wantedProcesses(given.WORKERS, cores)
  // First, since links carry the port.
  const port = await choosePort(given, wanted > 1)
  const settings = { ...given, PORT: port.number }
  if (settings.FAULT_POINTS) enableFaultPoints(readFaultPoints(settings.FAULT_POINTS), settings.FAULT_LOG)
  // Beside the database, which takes longer. A failure is reported where the pages are needed.
  const pages = settings.ROLES.has('api') ? buildPages() : Promise.resolve()
  pages.catch(() => {})
  const dataDir = settings.DATA_DIR === undefined ? join(ROOT, 'data') : resolve(settings.DATA_DIR)
  const needsDataDir =
    !settings.DATABASE_URL || !settings.IDENTITY_URL || !settings.ENCRYPTION_KEY || !settings.FILES_URL
  const secrets = needsDataDir ? await openDataDir(dataDir) : null
  const self: Process = { ...context, settings, keys: keysOf(settings, secrets), dataDir }

  const { files, observe } = await openFiles(self)
  const databaseUrl = settings.DATABASE_URL ?? (await startDatabase(self, secrets as Secrets, wanted))
  const supervisesJobs = settings.ROLES.has('worker')
  const infrastructure = openInfrastructure(self, { databaseUrl, files, supervisesJobs })
  observe(infrastructure.metrics)
  let helpers: Helpers | null = null
  const metrics = await startMetrics(
    self,
    infrastructure.metrics,
    async () => (await helpers?.metrics()) ?? [],
  )
  const started = { version: manifest.version, data: needsDataDir ? dataDir : null, metrics }
  const share = async (identityUrl: string | null): Promise<number> => {
    const processes = await countProcesses(wanted, infrastructure)
    if (processes === 1) return 1
    const environment = helperEnvironment(self, databaseUrl, identityUrl)
    const starting = startHelpers(processes - 1, environment, log)
    // At the same time as the API and the worker of this process.
    shutdown.addToLast('helpers', async () => (await starting).stop())
    helpers = await starting
    return processes
  }

  if (!settings.ROLES.has('api')) {
    await prepareDatabase(self, infrastructure)
    const warnings = await runWorker(self, infrastructure)
    const processes = await share(null)
    const identity = publicIdentityUrl(settings, null)
    return { ...started, processes, backend: null, listening: null, identity, warnings }
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
    processes: await share(identityUrl),
    backend: publicUrlOf(settings),
    listening: settings.PUBLIC_URL ? urlOf(settings.HOST, settings.PORT) : null,
    identity: publicIdentityUrl(settings, identityUrl),
    warnings,
  }
}

const keysOf = (settings: Settings, secrets: Secrets | null): Keys => ({
  encryption: settings.ENCRYPTION_KEY ?? (secrets as Secrets).encryption_key,
  identitySecret: settings.IDENTITY_SECRET ?? secrets?.identity_secret,
  identityToken: settings.IDENTITY_TOKEN ?? secrets?.identity_token,
})

async function countProcesses(wanted: number, { database, log }: Infrastructure): Promise<number> {
  if (wanted === 1) return 1
  const { rows } = await database.pool.query<{ max_connections: string }>('show max_connections')
  const connections = Number(rows[0]?.max_connections)
  const processes = processesFor(wanted, connections)
  if (processes < wanted)
    log.warn(
      { component: 'helpers', count: processes },
      `Starting fewer processes than WORKERS requests (${processes} instead of ${wanted}), because PostgreSQL's max_connections (${connections}) is too low`,
    )
  return processes
}

/** The settings of this process, with what it has started and generated. */
const helperEnvironment = (
  { settings, keys, dataDir }: Process,
  databaseUrl: string,
  identityUrl: string | null,
): NodeJS.ProcessEnv => ({
  ...process.env,
  DATABASE_URL: databaseUrl,
  ENCRYPTION_KEY: keys.encryption,
  ...(identityUrl && { IDENTITY_URL: identityUrl }),
  ...(!settings.IDENTITY_JWKS_URL && keys.identitySecret && { IDENTITY_SECRET: keys.identitySecret }),
  ...(keys.identityToken && { IDENTITY_TOKEN: keys.identityToken }),
  DATA_DIR: dataDir,
  PORT: String(settings.PORT),
  FAULT_POINTS: '',
})

async function startDatabase(
  { dataDir, log, shutdown }: Process,
  secrets: Secrets,
  processes: number,
): Promise<string> {
  const settings = [`max_connections=${connectionsFor(processes)}`]
  const postgres = new EmbeddedPostgres({ dataDir, password: secrets.database_password, log, settings })
  shutdown.add('postgres', () => postgres.stop())
  return postgres.start()
}

async function startMetrics(
  { settings, shutdown }: Process,
  metrics: Metrics,
  others: () => Promise<MetricsSnapshot[]>,
): Promise<string> {
  const { METRICS_HOST, METRICS_PORT } = settings
  const server = await serveMetrics(metrics, METRICS_HOST, METRICS_PORT, others).catch((error: unknown) => {
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
  const { settings, keys } = self
  // Pages of the backend sign in there, too.
  const origins = [...settings.ALLOWED_ORIGINS, new URL(publicUrlOf(settings)).origin]
  return {
    DATABASE_URL: databaseUrl,
    HOST: settings.HOST,
    IDENTITY_PORT: String(settings.IDENTITY_PORT),
    IDENTITY_PUBLIC_URL: settings.IDENTITY_PUBLIC_URL ?? '',
    IDENTITY_SECRET: keys.identitySecret as string,
    IDENTITY_ISSUER: settings.IDENTITY_ISSUER,
    IDENTITY_TOKEN: keys.identityToken as string,
    ADMIN_EMAIL: settings.ADMIN_EMAIL,
    ADMIN_PASSWORD: settings.ADMIN_PASSWORD ?? '',
    SESSION_COOKIE_NAME: settings.SESSION_COOKIE_NAME,
    ALLOWED_ORIGINS: origins.join(','),
    TRUSTED_PROXIES: settings.TRUSTED_PROXIES.join(','),
    RATE_LIMITS: settings.RATE_LIMITS ? 'on' : 'off',
    LOG_LEVEL: settings.LOG_LEVEL,
  }
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
  for (const reason of warnings) log.warn({ component: 'engines' }, reason)
  return warnings
}

/** Waits for an unreachable database, while `/api/ready` returns 503. Any other failure ends the start. */
async function prepareDatabase(
  { settings }: Process,
  { databaseUrl, database, jobs, log }: Infrastructure,
): Promise<void> {
  await retryWhileUnavailable(
    () => migrate({ url: databaseUrl, schema: 'parley', folder: MIGRATIONS, log }),
    log,
  )
  if (settings.DATABASE_DIRECT_URL) await retryWhileUnavailable(() => checkRoleSettings(database.pool), log)
  await retryWhileUnavailable(() => jobs.start(), log)
}

async function retryWhileUnavailable(work: () => Promise<void>, log: Logger): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (err) {
      if (!isDatabaseUnavailable(err)) throw err
      const waitMs = Math.min(attempt * 250, 5_000)
      const fields = { err, attempt, component: 'database' }
      log.warn(fields, `Database unreachable; retrying in ${waitMs / 1_000} s`)
      await pause(waitMs)
    }
  }
}
