import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import { type Db as JobsDb, type JobWithMetadata, PgBoss } from 'pg-boss'
import type { Tx } from '../../database/database.ts'
import { type Notifications, openNotifications } from '../../database/notifications.ts'
import { asPrepared } from '../../database/prepared-statements.ts'
import { newId } from '../../platform/ids.ts'
import type { Logger } from '../../platform/log.ts'
import { createFairShare } from './fair-share.ts'
import { createTenantCache, groupOf, type Tenant, tenantOf } from './job-tenant.ts'
import { openQueueConnections } from './queue-connections.ts'

/** Only ids: a job reads the rows when it runs. */
export type JobData = Record<string, string | number>

/** The data of each job, by the name of the job. */
export type JobPayloads = Record<string, JobData>

/**
 * The job queue. A job is enqueued in the transaction that makes it necessary, and done at least once. An area names the jobs that
 * it enqueues (`Jobs<{ report: { report_id: string } }>`); background/jobs.ts names all of them and their handlers.
 */
export interface Jobs<P extends JobPayloads = JobPayloads> {
  /** Creates the queues. Before that, jobs can neither be enqueued nor run. */
  start(): Promise<void>
  enqueue<Name extends keyof P & string>(
    tx: Tx,
    name: Name,
    data: P[Name],
    options?: EnqueueOptions,
  ): Promise<void>
  /** Many jobs in one statement. */
  enqueueAll<Name extends keyof P & string>(tx: Tx, name: Name, jobs: NewJob<P[Name]>[]): Promise<void>
  /** Runs jobs of that name and at least that priority in this process; a job that throws is retried with growing pauses. */
  work(
    name: keyof P & string,
    concurrency: number,
    work: (job: RunningJob) => Promise<void>,
    priority?: number,
  ): Promise<void>
  /** Restarts a job that failed permanently, with all of its retries. Returns false if the job is in a different state. */
  retry(tx: Tx, name: keyof P & string, id: string): Promise<boolean>
  counts(): Promise<JobCounts[]>
  /** Seconds since the oldest waiting job of at least this priority became due; 0 where none waits. */
  longestWait(priority: number): Promise<number>
  /** The given values of a data field for which one of these jobs waits or runs. */
  valuesWithJob(names: (keyof P & string)[], field: string, values: string[]): Promise<Set<string>>
  /** Takes no more jobs and gives running ones this long; the rest are retaken by another worker. */
  stop(graceMs: number): Promise<void>
}

interface EnqueueOptions {
  /** The more jobs its organisation, workspace and project had recently, the later it runs among jobs of the same priority. */
  projectId?: string
  /** A retry runs after the first attempts of the same priority. */
  isRetry?: boolean
  /** Higher ones run first, regardless of the tenant; 0 unless given. */
  priority?: number
  startAfter?: Date
}

interface NewJob<Data extends JobData = JobData> extends EnqueueOptions {
  data: Data
}

export interface RunningJob {
  data: JobData
  projectId: string | null
  priority: number
  /** Number of failed attempts before this one. */
  retry: number
  /** Whether a failure is final. */
  isLast: boolean
  /** Aborted at the job's time limit and when the service stops. */
  signal: AbortSignal
}

interface JobCounts {
  name: string
  waiting: number
  running: number
  failed: number
}

/** Workers send on it how long a run took: `seconds organisation workspace project`. */
export const JOB_TIME_CHANNEL = 'parley_job_time'

/** The jobs of a killed process are retaken after this long without a heartbeat; pg-boss allows no less. */
const JOB_LEASE_SECONDS = 10
/** With pauses that double from 2 s to 10 minutes: about half a day. */
const RETRIES = 80
const QUEUE = {
  heartbeatSeconds: JOB_LEASE_SECONDS,
  expireInSeconds: 4 * 3_600,
  retryLimit: RETRIES,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 600,
  // Long, for installations whose worker is down for days.
  retentionSeconds: 30 * 86_400,
  deleteAfterSeconds: 86_400,
}

export interface JobsOptions<P extends JobPayloads> {
  url: string
  /** Without a pooler; `url` unless given. */
  directUrl?: string
  names: readonly (keyof P & string)[]
  /** Whether this process retakes the jobs of processes that died; at least one must. */
  supervises: boolean
  log: Logger
  /** Overrides how long a connection can be silent before it is closed; for tests. */
  idleTimeoutMs?: number
}

/** Longer than any statement of pg-boss takes: a connection that has not responded by then is dead. */
const IDLE_TIMEOUT_MS = 20_000

/** The time to close after the grace period: pg-boss would wait for a response on a dead connection. */
const CLOSE_LIMIT_MS = 2_000

export function createJobs<P extends JobPayloads>(options: JobsOptions<P>): Jobs<P> {
  const { url, directUrl = url, names, supervises, log, idleTimeoutMs = IDLE_TIMEOUT_MS } = options
  // pg-boss reconnects after an error; without a listener the error would end the process.
  const onError = (err: Error) => log.warn({ err, component: 'jobs' }, 'Job queue failed; reconnecting')
  const connections = openQueueConnections({
    url,
    directUrl,
    max: supervises ? 6 : 2,
    idleTimeoutMs,
    onError,
  })
  const boss = new PgBoss({
    db: connections,
    schema: 'jobs',
    supervise: supervises,
    schedule: false,
    useListenNotify: true,
    // The defaults are a minute: a killed worker's jobs should be retaken within two leases.
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    queueCacheIntervalSeconds: 60,
  })
  const query = (text: string, values: unknown[]) => connections.executeSql(text, values)
  const share = createFairShare()
  const tenantsOf = createTenantCache()
  let times: Notifications | null = null
  boss.on('error', onError)

  async function enqueueAll(tx: Tx, name: string, jobs: NewJob[]): Promise<void> {
    if (jobs.length === 0) return
    const tenants = await tenantsOf(
      tx,
      jobs.flatMap(({ projectId }) => projectId ?? []),
    )
    const inserts = jobs.map(({ data, projectId, priority = 0, isRetry = false, startAfter }) => {
      const tenant = projectId ? tenants.get(projectId) : undefined
      const position = tenant ? share.next(tenant) : 0
      return {
        data,
        // In the order of creation, which lists are sorted by.
        id: newId(),
        priority: isRetry ? lowestRank(priority) : rankOf(priority, position),
        ...(tenant && { group: groupOf(tenant) }),
        ...(startAfter && { startAfter }),
      }
    })
    await boss.insert(name, inserts, { db: within(tx) })
  }

  /** Shares how long a run took with every process. A hint: where it is lost, the run counts as one job. */
  async function publishTime(tenant: Tenant | null, ms: number): Promise<void> {
    const seconds = Math.round(ms / 1_000)
    if (tenant === null || seconds === 0) return
    const { organisationId, workspaceId, projectId } = tenant
    const payload = [seconds, organisationId, workspaceId, projectId].join(' ')
    await query('select pg_notify($1, $2)', [JOB_TIME_CHANNEL, payload]).catch(() => {})
  }

  /** The payload is null after a reconnect, when messages may have been missed. */
  function receiveTime(payload: string | null): void {
    const [seconds, organisationId, workspaceId, projectId] = payload?.split(' ') ?? []
    if (organisationId && workspaceId && projectId)
      share.charge({ organisationId, workspaceId, projectId }, Number(seconds) / SECONDS_PER_JOB)
  }

  /** With its old rank a retry would run before all first attempts of the same rank, since it is older. */
  const lowerRank = ({ id, name, priority }: JobWithMetadata<JobData>): Promise<unknown> =>
    query(LOWER_RANK, [name, id, lowestRank(priorityOf(priority))]).catch(() => {})

  async function run(job: JobWithMetadata<JobData>, work: (job: RunningJob) => Promise<void>): Promise<void> {
    const began = performance.now()
    try {
      await work(runningJob(job))
    } catch (error) {
      // A job that the stop of the service interrupted keeps its rank.
      if (!job.signal.aborted) await lowerRank(job)
      throw error
    } finally {
      // Work that gave way to all other jobs does not delay the tenant's own ones.
      if (priorityOf(job.priority) >= 0) await publishTime(tenantOf(job), performance.now() - began)
    }
  }

  return {
    async start() {
      await boss.start().catch(async (error: unknown) => {
        // Half-started, it could not be started again.
        await boss.stop({ graceful: false }).catch(() => {})
        throw error
      })
      for (const name of names) {
        await boss.createQueue(name, { ...QUEUE, notify: true })
        await boss.updateQueue(name, QUEUE)
      }
      times ??= openNotifications(directUrl, JOB_TIME_CHANNEL)
      times.subscribe(receiveTime)
    },
    enqueue: (tx, name, data, options) => enqueueAll(tx, name, [{ data, ...options }]),
    enqueueAll,
    async work(name, concurrency, work, priority = 0) {
      const options = {
        pollingIntervalSeconds: 2,
        notifyPollingIntervalSeconds: 2,
        includeMetadata: true,
        minPriority: lowestRank(priority),
      } as const
      for (let n = 0; n < concurrency; n++) {
        const workerId: string = await boss.work(name, options, async ([job]: JobWithMetadata<JobData>[]) => {
          // Fetches the next job without a pause; pg-boss would wait for its polling interval before each one.
          boss.notifyWorker(workerId)
          if (job) await run(job, work)
        })
      }
    },
    async retry(tx, name, id) {
      const { rows } = await within(tx).executeSql(RETRY, [name, id])
      return rows.length > 0
    },
    async counts() {
      const queues = await boss.getQueues()
      return queues.map(({ name, readyCount, activeCount, failedCount }) => ({
        name,
        waiting: readyCount,
        running: activeCount,
        failed: failedCount,
      }))
    },
    async longestWait(priority) {
      const { rows } = await query(LONGEST_WAIT, [names, lowestRank(priority)])
      return Number(rows[0]?.seconds ?? 0)
    },
    async valuesWithJob(among, field, values) {
      const { rows } = await query(VALUES_WITH_JOB, [among, field, values])
      return new Set(rows.map(({ value }: { value: string }) => value))
    },
    async stop(graceMs) {
      const stopped = boss.stop({ graceful: true, timeout: graceMs }).then(() => connections.close())
      await Promise.race([
        Promise.all([stopped, times?.close()]),
        pause(graceMs + CLOSE_LIMIT_MS, undefined, { ref: false }),
      ])
    },
  }
}

/** Written like the index by which pg-boss fetches jobs, so that it reads waiting jobs alone. */
const LONGEST_WAIT = `
  select extract(epoch from now() - min(greatest(created_on, start_after))) as seconds
  from jobs.job
  where name = any($1) and priority >= $2 and state < 'active' and not blocked and start_after <= now()`

const RETRY = `
  update jobs.job set state = 'retry', retry_count = 0, start_after = now(), completed_on = null
  where name = $1 and id = $2 and state = 'failed'
  returning id`

const LOWER_RANK = 'update jobs.job set priority = $3 where name = $1 and id = $2'

const VALUES_WITH_JOB = `
  select distinct data ->> $2 as value from jobs.job
  where name = any($1) and state < 'completed' and data ->> $2 = any($3)`

/** A transaction in the shape that pg-boss expects. */
const within = (tx: Tx): JobsDb => ({
  async executeSql(text, values) {
    const { rows } = await tx.executeQuery(CompiledQuery.raw(asPrepared(text), [...(values ?? [])]))
    return { rows }
  },
})

const runningJob = (job: JobWithMetadata<JobData>): RunningJob => ({
  data: job.data,
  projectId: job.groupId ?? null,
  priority: priorityOf(job.priority),
  retry: job.retryCount,
  isLast: job.retryCount >= RETRIES,
  signal: job.signal,
})

/** Ranks within one priority, by which pg-boss orders jobs: retries have the lowest, first attempts the others. */
const RANKS = 10

/** The seconds of a worker that count as one more job: about what a live chunk takes. */
const SECONDS_PER_JOB = 5

/** The more recent jobs run before it, the lower its rank: by one for each doubling. */
const rankOf = (priority: number, position: number): number =>
  lowestRank(priority) + RANKS - 1 - Math.min(RANKS - 2, Math.floor(Math.log2(position + 1)))

/** The rank of retries. */
const lowestRank = (priority: number): number => priority * RANKS

const priorityOf = (rank: number): number => Math.floor(rank / RANKS)
