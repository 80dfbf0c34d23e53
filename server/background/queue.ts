import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import { LRUCache } from 'lru-cache'
import { type Db as JobsDb, type JobWithMetadata, PgBoss } from 'pg-boss'
import { databaseClient } from '../../database/client.ts'
import type { Tx } from '../../database/database.ts'
import { openWakeUps, type WakeUps } from '../../database/notifications.ts'
import { asPrepared } from '../../database/prepared-statements.ts'
import { newId } from '../../platform/ids.ts'
import type { Logger } from '../../platform/log.ts'
import { createFairShare, type Tenant } from './fair-share.ts'

/** Work that outlives its request: enqueued in the transaction that makes it necessary, done at least once. */
export interface Jobs {
  /** Makes the queues; until then jobs can be neither enqueued nor worked on. */
  start(): Promise<void>
  enqueue(tx: Tx, name: JobName, data: JobData, options?: EnqueueOptions): Promise<void>
  /** Many at the cost of one. */
  enqueueAll(tx: Tx, name: JobName, jobs: NewJob[]): Promise<void>
  /** Calls `work` for each job of that name and of at least that urgency, here; what it throws is tried again with growing pauses. */
  work(
    name: JobName,
    concurrency: number,
    work: (job: RunningJob) => Promise<void>,
    urgency?: number,
  ): Promise<void>
  /** How many there are, for operators. */
  counts(): Promise<JobCounts[]>
  /** Seconds for which the oldest job of at least this urgency has been due and not begun; 0 where none waits. */
  longestWait(urgency: number): Promise<number>
  /** Of these values of a field of their data, those for which one of these jobs waits or runs. */
  atWork(names: JobName[], field: string, values: string[]): Promise<Set<string>>
  /** Takes no more, and gives what is under way so long; what is not done by then is retaken elsewhere. */
  stop(graceMs: number): Promise<void>
}

export const JOB_NAMES = ['transcribe', 'summarize', 'report', 'erase', 'join_audio'] as const
export type JobName = (typeof JOB_NAMES)[number]

/** Ids alone: what a job works on is read when it runs. */
export type JobData = Record<string, string | number>

interface EnqueueOptions {
  /** Whose it is: the more its organisation, workspace and project had done lately, the later it comes among equally urgent jobs. */
  projectId?: string
  /** Whether it was tried before: it comes after the first tries of equally urgent jobs. */
  isRetry?: boolean
  /** From 0; the more urgent go first, whosever they are. */
  urgency?: number
  /** Not before this moment. */
  startAfter?: Date
}

interface NewJob extends EnqueueOptions {
  data: JobData
}

export interface RunningJob {
  data: JobData
  /** The project that it works for; null where it was enqueued without one. */
  projectId: string | null
  /** With which it was enqueued. */
  urgency: number
  /** From 0. */
  retry: number
  /** Whether no further try follows a failure. */
  isLast: boolean
  /** Aborted when its time is over, or the service stops. */
  signal: AbortSignal
}

interface JobCounts {
  name: string
  waiting: number
  running: number
  failed: number
}

/** On which workers tell how long a try took: `seconds organisation workspace project`. */
export const JOB_TIME_CHANNEL = 'parley_job_time'

/** A killed process's jobs are retaken after this long without a sign of life; pg-boss allows no less. */
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
  // A job waits for its worker as long as it takes: 30 days, where nobody runs one.
  retentionSeconds: 30 * 86_400,
  deleteAfterSeconds: 86_400,
}

export interface JobsOptions {
  url: string
  /** Whether this process looks after the jobs that others left: at least one must. */
  supervises: boolean
  log: Logger
  /** Where the queue's own would be wrong. */
  silenceLimitMs?: number
}

/** Longer than anything that pg-boss asks takes: a connection that has not answered by then is black-holed. */
const SILENCE_LIMIT_MS = 20_000

/** On top of the grace: a connection that went silent hears no goodbye, and pg-boss would wait for its answer. */
const GOODBYE_MS = 2_000

export function createJobs(options: JobsOptions): Jobs {
  const { url, supervises, log, silenceLimitMs = SILENCE_LIMIT_MS } = options
  // What pg-boss does not know itself goes on to node-postgres.
  const connections = { Client: databaseClient(silenceLimitMs), keepAlive: true }
  const boss = new PgBoss({
    connectionString: url,
    schema: 'jobs',
    application_name: 'parley-jobs',
    ...connections,
    max: supervises ? 6 : 2,
    supervise: supervises,
    schedule: false,
    useListenNotify: true,
    // The defaults are a minute: a killed worker's jobs should be retaken within two leases.
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    queueCacheIntervalSeconds: 60,
  })
  const share = createFairShare()
  const tenantsOf = createTenantCache()
  let times: WakeUps | null = null
  // A lost connection is reported here, and reconnected; without a listener it would end the process.
  boss.on('error', (err) => log.warn({ err, component: 'jobs' }, 'the job queue is in trouble'))

  async function enqueueAll(tx: Tx, name: JobName, jobs: NewJob[]): Promise<void> {
    if (jobs.length === 0) return
    const tenants = await tenantsOf(
      tx,
      jobs.flatMap(({ projectId }) => projectId ?? []),
    )
    const inserts = jobs.map(({ data, projectId, urgency = 0, isRetry = false, startAfter }) => {
      const tenant = projectId ? tenants.get(projectId) : undefined
      const position = tenant ? share.next(tenant) : 0
      return {
        data,
        // In the order of their making, as lists want them.
        id: newId(),
        priority: isRetry ? retryPriority(urgency) : priorityOf(urgency, position),
        ...(tenant && { group: { id: tenant.projectId, tier: tierOf(tenant) } }),
        ...(startAfter && { startAfter }),
      }
    })
    await boss.insert(name, inserts, { db: within(tx) })
  }

  /** Tells every process how long a try took. A hint: where it is lost, the try counts as one job. */
  async function tellTime(tenant: Tenant | null, ms: number): Promise<void> {
    const seconds = Math.round(ms / 1_000)
    if (tenant === null || seconds === 0) return
    const { organisationId, workspaceId, projectId } = tenant
    const payload = [seconds, organisationId, workspaceId, projectId].join(' ')
    await boss
      .getDb()
      .executeSql('select pg_notify($1, $2)', [JOB_TIME_CHANNEL, payload])
      .catch(() => {})
  }

  /** `null` where messages may have been missed. */
  function hearTime(payload: string | null): void {
    const [seconds, organisationId, workspaceId, projectId] = payload?.split(' ') ?? []
    if (organisationId && workspaceId && projectId)
      share.charge({ organisationId, workspaceId, projectId }, Number(seconds) / SECONDS_PER_JOB)
  }

  /** Else it would keep its place: before all first tries of the same priority, since it is older. */
  const putBehind = ({ id, name, priority }: JobWithMetadata<JobData>): Promise<unknown> =>
    boss
      .getDb()
      .executeSql(PUT_BEHIND, [name, id, retryPriority(urgencyOf(priority))])
      .catch(() => {})

  async function run(job: JobWithMetadata<JobData>, work: (job: RunningJob) => Promise<void>): Promise<void> {
    const began = performance.now()
    try {
      await work(runningJob(job))
    } catch (error) {
      // A service that stops is not the job's fault.
      if (!job.signal.aborted) await putBehind(job)
      throw error
    } finally {
      await tellTime(tenantOf(job), performance.now() - began)
    }
  }

  return {
    async start() {
      await boss.start().catch(async (error: unknown) => {
        // Half-started, it could not be started again.
        await boss.stop({ graceful: false }).catch(() => {})
        throw error
      })
      for (const name of JOB_NAMES) {
        await boss.createQueue(name, { ...QUEUE, notify: true })
        await boss.updateQueue(name, QUEUE)
      }
      times ??= openWakeUps(url, JOB_TIME_CHANNEL)
      times.subscribe(hearTime)
    },
    enqueue: (tx, name, data, options) => enqueueAll(tx, name, [{ data, ...options }]),
    enqueueAll,
    async work(name, concurrency, work, urgency = 0) {
      const options = {
        pollingIntervalSeconds: 2,
        notifyPollingIntervalSeconds: 2,
        includeMetadata: true,
        minPriority: urgency * LEVELS,
      } as const
      for (let n = 0; n < concurrency; n++) {
        const workerId: string = await boss.work(name, options, async ([job]: JobWithMetadata<JobData>[]) => {
          // Looks for the next one at once: left to itself it would pause before each job of a backlog.
          boss.notifyWorker(workerId)
          if (job) await run(job, work)
        })
      }
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
    async longestWait(urgency) {
      const { rows } = await boss.getDb().executeSql(LONGEST_WAIT, [JOB_NAMES, urgency * LEVELS])
      return Number(rows[0]?.seconds ?? 0)
    },
    async atWork(names, field, values) {
      const { rows } = await boss.getDb().executeSql(AT_WORK, [names, field, values])
      return new Set(rows.map(({ value }: { value: string }) => value))
    },
    async stop(graceMs) {
      const stopped = boss.stop({ graceful: true, timeout: graceMs, close: true })
      await Promise.race([
        Promise.all([stopped, times?.close()]),
        pause(graceMs + GOODBYE_MS, undefined, { ref: false }),
      ])
    },
  }
}

/** In the words of the index by which pg-boss takes jobs, so that it reads those that wait and no others. */
const LONGEST_WAIT = `
  select extract(epoch from now() - min(greatest(created_on, start_after))) as seconds
  from jobs.job
  where name = any($1) and priority >= $2 and state < 'active' and not blocked and start_after <= now()`

const AT_WORK = `
  select distinct data ->> $2 as value from jobs.job
  where name = any($1) and state < 'completed' and data ->> $2 = any($3)`

/** A transaction, as pg-boss wants it. */
const within = (tx: Tx): JobsDb => ({
  async executeSql(text, values) {
    const { rows } = await tx.executeQuery(CompiledQuery.raw(asPrepared(text), [...(values ?? [])]))
    return { rows }
  },
})

const PUT_BEHIND = `update jobs.job set priority = $3 where name = $1 and id = $2`

/** Priorities within one urgency: retries have the lowest, first tries the others. */
const LEVELS = 10
/** Of a worker's time, which count as much as one more job: about what a live chunk takes. */
const SECONDS_PER_JOB = 5

const priorityOf = (urgency: number, position: number): number =>
  urgency * LEVELS + LEVELS - 1 - Math.min(LEVELS - 2, Math.floor(Math.log2(position + 1)))

const retryPriority = (urgency: number): number => urgency * LEVELS

const urgencyOf = (priority: number): number => Math.floor(priority / LEVELS)

const TENANTS = { max: 10_000, ttl: 600_000 }

/** Which workspace and organisation projects belong to. One that is not there stands alone. */
function createTenantCache(): (tx: Tx, projectIds: string[]) => Promise<Map<string, Tenant>> {
  const known = new LRUCache<string, Tenant>(TENANTS)
  return async (tx, projectIds) => {
    const unknown = [...new Set(projectIds)].filter((id) => !known.has(id))
    const rows = unknown.length === 0 ? [] : await selectTenants(tx, unknown)
    for (const row of rows) known.set(row.projectId, row)
    const alone = (id: string): Tenant => ({ organisationId: id, workspaceId: id, projectId: id })
    return new Map(projectIds.map((id) => [id, known.get(id) ?? alone(id)]))
  }
}

const selectTenants = (tx: Tx, projectIds: string[]): Promise<Tenant[]> =>
  tx
    .selectFrom('projects')
    .innerJoin('workspaces', 'workspaces.id', 'projects.workspace_id')
    .select([
      'projects.id as projectId',
      'workspaces.id as workspaceId',
      'workspaces.organisation_id as organisationId',
    ])
    .where('projects.id', 'in', projectIds)
    .execute()

/** pg-boss keeps a tier with a job's group. It means nothing to it here: workers read whose time they use from it. */
const tierOf = ({ organisationId, workspaceId }: Tenant): string => `${organisationId} ${workspaceId}`

function tenantOf({ groupId, groupTier }: JobWithMetadata<JobData>): Tenant | null {
  const [organisationId, workspaceId] = groupTier?.split(' ') ?? []
  return groupId && organisationId && workspaceId ? { organisationId, workspaceId, projectId: groupId } : null
}

const runningJob = ({
  data,
  priority,
  retryCount,
  groupId,
  signal,
}: JobWithMetadata<JobData>): RunningJob => ({
  data,
  projectId: groupId ?? null,
  urgency: urgencyOf(priority),
  retry: retryCount,
  isLast: retryCount >= RETRIES,
  signal,
})
