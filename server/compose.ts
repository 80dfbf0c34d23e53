import type { FastifyInstance } from 'fastify'
import { type Database, type DatabaseLimits, openDatabase } from '../database/database.ts'
import { openNotifications } from '../database/notifications.ts'
import { onPrimaryChange } from '../database/primary-monitor.ts'
import { createEgress, type EgressOptions, startDeliveries, WAKE_CHANNEL } from '../delivery/index.ts'
import { type Clock, systemClock } from '../platform/clock.ts'
import { createKeyring } from '../platform/encryption.ts'
import type { Logger } from '../platform/log.ts'
import { createMetrics, type Metrics } from '../platform/metrics.ts'
import type { FileStore } from '../storage/file-store.ts'
import type { Lifecycle } from './api/health.ts'
import { type AppParts, type AppSettings, buildApp, userAgentOf } from './app.ts'
import { connectIdentityStore, createAuthentication, type TokenKeys } from './auth/index.ts'
import { JOB_NAMES, type JobQueue, startJobHandlers } from './background/jobs.ts'
import { type PeriodicTask, startTasks } from './background/periodic-task.ts'
import { createJobs } from './background/queue.ts'
import { schedule } from './background/schedule.ts'
import type { Summarizer } from './summaries/index.ts'
import type { Transcriber } from './transcription/index.ts'
import { createEmitter, tiersWithWebhooks } from './webhooks/index.ts'

/**
 * The composition root. The service, the tests and the benchmarks call createInfrastructure, then createApi, startWorker or
 * both, each with other options.
 */
export interface InfrastructureOptions {
  databaseUrl: string
  /** Given if `databaseUrl` leads to a pooler: the URL without it. */
  databaseDirectUrl?: string | undefined
  files: FileStore
  encryptionKey: string
  egress: EgressOptions
  log: Logger
  /** Whether this process retakes the jobs of processes that died. */
  supervisesJobs: boolean
  clock?: Clock
  connections?: { applicationName?: string; max?: number; limits?: Partial<DatabaseLimits> }
}

export interface Infrastructure
  extends Omit<AppParts, 'settings' | 'store' | 'identityPublicUrl' | 'authentication' | 'lifecycle'> {
  /** Without a pooler. */
  databaseUrl: string
  jobs: JobQueue
  /** Closes everything, the database last. */
  close(): Promise<void>
}

/** Jobs that run longer are retaken by another worker when their lease ends. */
const JOB_GRACE_MS = 1_000

/** Connects lazily: an unreachable database does not fail here. */
export function createInfrastructure(options: InfrastructureOptions): Infrastructure {
  const { databaseUrl: url, databaseDirectUrl, files, log, clock = systemClock } = options
  const directUrl = databaseDirectUrl ?? url
  const closing = new AsyncDisposableStack()
  const database = openDatabase({
    url,
    directUrl: databaseDirectUrl,
    schema: 'parley',
    applicationName: 'parley',
    max: 20,
    ...options.connections,
  })
  closing.defer(() => database.close())
  const notifications = openNotifications(directUrl, WAKE_CHANNEL)
  closing.defer(() => notifications.close())
  const egress = createEgress(options.egress)
  closing.defer(() => egress.close())
  const supervises = options.supervisesJobs
  const jobs: JobQueue = createJobs({ url, directUrl, names: JOB_NAMES, supervises, log })
  closing.defer(() => jobs.stop(JOB_GRACE_MS))
  const metrics = createMetrics()
  exposePoolMetrics(metrics, database)
  closing.defer(watchFailovers(directUrl, metrics, log))
  return {
    databaseUrl: directUrl,
    database,
    notifications,
    files,
    keyring: createKeyring(options.encryptionKey),
    egress,
    jobs,
    metrics,
    clock,
    log,
    close: () => closing.disposeAsync(),
  }
}

function exposePoolMetrics({ gauge }: Metrics, { pool }: Database): void {
  gauge('parley_database_connections', 'Open connections to PostgreSQL', () => pool.totalCount)
  gauge('parley_database_waiting', 'Statements that wait for a connection', () => pool.waitingCount)
}

/** For a database URL with several hosts. */
function watchFailovers(url: string, { counter }: Metrics, log: Logger): () => void {
  const failovers = counter('parley_database_failovers_total', 'PostgreSQL failovers to a new primary', [])
  let isFirst = true
  return onPrimaryChange(url, ({ name, port }) => {
    if (!isFirst) {
      failovers([])
      log.warn({ component: 'database', host: name, port }, 'PostgreSQL failed over; using the new primary')
    }
    isFirst = false
  })
}

export interface ApiOptions {
  settings: AppSettings
  lifecycle: Lifecycle
  identity: {
    /** Null while the embedded identity store starts. */
    url(): string | null
    /** For browsers, where it differs from `url`. */
    publicUrl?(): string | null
    token: string | undefined
    keys: TokenKeys
    issuer: string
    checkSessions: boolean
    limitMs?: number
  }
}

/** The HTTP API, not listening yet. */
export async function createApi(
  infrastructure: Infrastructure,
  { settings, lifecycle, identity }: ApiOptions,
): Promise<FastifyInstance> {
  const { metrics, clock } = infrastructure
  const { cookieName } = settings
  const store = connectIdentityStore({ ...identity, metrics })
  const authentication = createAuthentication({ ...identity, store, cookieName, clock, metrics })
  return buildApp({
    ...infrastructure,
    settings,
    lifecycle,
    store,
    identityPublicUrl: identity.publicUrl ?? identity.url,
    authentication,
  })
}

export interface Engines {
  transcriber: Transcriber
  summarizer: Summarizer
}

export interface WorkerOptions {
  settings: Pick<AppSettings, 'version' | 'publicUrl' | 'tierGates'>
  /** The groups of background/schedule.ts to run; `webhooks` also sends deliveries. */
  groups: readonly (keyof typeof schedule)[]
  /** Opened after deliveries have started. Without engines no jobs run. */
  engines?: () => Promise<Engines>
  logDays: number
  /** How long attempts in progress get when the worker stops. */
  graceMs?: number
  /** Overrides the intervals of periodic tasks, by name. */
  intervals?: Record<string, number>
}

export interface Worker {
  /** Resolves when jobs run, too. */
  ready: Promise<void>
  stop(): Promise<void>
}

/** The periodic tasks of some groups of background/schedule.ts. */
export function createTasks(
  infrastructure: Infrastructure,
  { settings, groups, logDays }: Pick<WorkerOptions, 'settings' | 'groups' | 'logDays'>,
): PeriodicTask[] {
  const parts = { ...infrastructure, tierGates: settings.tierGates, emit: createEmitter(settings), logDays }
  return groups.flatMap((group) => schedule[group](parts))
}

/** Sends deliveries, runs periodic tasks and jobs. The schema must be migrated and the queue started. */
export function startWorker(infrastructure: Infrastructure, options: WorkerOptions): Worker {
  const { database, log, metrics } = infrastructure
  const { settings, groups, intervals = {} } = options
  const { tierGates, version } = settings
  const emit = createEmitter(settings)
  const stopping = new AsyncDisposableStack()
  const tasks = createTasks(infrastructure, options).map((task) => ({
    ...task,
    everyMs: intervals[task.name] ?? task.everyMs,
  }))
  const running = [startTasks(tasks, log)]
  if (groups.includes('webhooks')) {
    const tiers = tiersWithWebhooks(tierGates)
    const deliveries = startDeliveries({ ...infrastructure, tiers, userAgent: userAgentOf(version) })
    running.push({ stop: () => deliveries.stop(options.graceMs) })
  }
  const startJobs = async () => {
    const engines = await options.engines?.()
    if (!engines) return
    stopping.defer(
      async () => void (await Promise.all([engines.transcriber.close(), engines.summarizer.close()])),
    )
    await startJobHandlers({ ...infrastructure, db: database.db, emit, ...engines }, metrics)
  }
  const ready = startJobs()
  return {
    ready,
    stop: async () => {
      await Promise.all(running.map((part) => part.stop()))
      await ready.catch(() => {})
      await stopping.disposeAsync()
    },
  }
}
