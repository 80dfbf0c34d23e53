import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseUnavailable } from '../../database/database.ts'
import type { AttemptDetails } from '../../database/tables.ts'
import type { Logger } from '../../platform/log.ts'
import { faultPoint } from '../fault-points.ts'
import type { DisabledReason } from '../statements/disable-webhook.ts'
import {
  type AttemptRecord,
  type QueueAfter,
  type QueueResults,
  recordAttempts,
} from '../statements/record-attempts.ts'
import type { Statements } from '../statements/statement.ts'
import type { EndpointQueue } from './endpoint-queue.ts'
import type { DispatchMetrics } from './metrics.ts'

/** An attempt that has ended and is not in the database yet. */
interface EndedAttempt {
  queue: EndpointQueue
  record: AttemptRecord
  isTrial: boolean
}

export type Recorder = ReturnType<typeof createRecorder>

export interface RecorderOptions {
  statements: Statements
  dispatcherId: string
  disable(webhookId: string, reason: DisabledReason): Promise<void>
  /** Another dispatcher took the queue over. */
  onLost(queue: EndpointQueue): void
  /** The number of queues that this process holds. */
  countQueues(): number
  metrics: DispatchMetrics
  log: Logger
}

const BATCH_SIZE = 1_000
/** Under load, results are collected for this long and written together. They must be visible within 50 ms. */
const BATCH_DELAY_MS = 12
/** Larger batches are a sign of load. Then the queues of endpoints that only succeed are updated less often. */
const SMALL_BATCH = 50
/** Each once a second. With more than a thousand, a thousand a second: one update costs as much as half a delivery. */
const UPDATE_EVERY_MS = { min: 1_000, perQueue: 1 }
const RETRY_MS = 200
const GONE = 410

/** Writes results in their order, one statement at a time for all that have arrived. */
export function createRecorder(options: RecorderOptions) {
  const { statements, dispatcherId, disable, onLost, metrics, log } = options
  const waiting: EndedAttempt[] = []
  let flushing: Promise<void> | null = null
  let flushedAt = 0

  async function flush(): Promise<void> {
    await pause(Math.max(0, flushedAt + BATCH_DELAY_MS - performance.now()))
    while (waiting.length > 0) {
      await recordOrDrop(waiting.splice(0, BATCH_SIZE))
      flushedAt = performance.now()
      if (waiting.length < BATCH_SIZE) await pause(BATCH_DELAY_MS)
    }
  }

  /** A batch that fails does not delay the next one. Its queues are dropped, so that their attempts are made again. */
  async function recordOrDrop(batch: EndedAttempt[]): Promise<void> {
    try {
      await record(batch)
    } catch (err) {
      log.error(
        { err, component: 'webhooks' },
        'Delivery results were lost; the deliveries will be sent again',
      )
      for (const { queue } of batch) onLost(queue)
    }
  }

  async function record(batch: EndedAttempt[]): Promise<void> {
    const attempts = batch.map((each) => each.record)
    metrics.attempts(attempts)
    const results = resultsToWrite(batch)
    const after = await writeWhenAvailable(attempts, [...results.values()]).catch((err: unknown) => {
      const fields = { err, component: 'webhooks', count: attempts.length }
      log.warn(fields, 'Database rejected a batch of delivery results; writing them one by one')
      return writeOneByOne(batch)
    })
    faultPoint('after_record')
    for (const { queue, record } of batch) queue.unrecorded.delete(record.deliveryId)
    await followUp(batch, results, after)
  }

  async function writeWhenAvailable(
    attempts: AttemptRecord[],
    queues: QueueResults[],
  ): Promise<QueueAfter[]> {
    for (;;) {
      try {
        return await recordAttempts(statements, dispatcherId, attempts, queues)
      } catch (err) {
        if (!isDatabaseUnavailable(err)) throw err
        const fields = { err, component: 'webhooks', count: attempts.length }
        log.warn(fields, `Database unavailable; retrying delivery results in ${RETRY_MS} ms`)
        await pause(RETRY_MS)
      }
    }
  }

  /** One row that the database rejects because of a bug makes a whole batch fail. Written one by one, the other rows are stored. */
  async function writeOneByOne(batch: EndedAttempt[]): Promise<QueueAfter[]> {
    const after: QueueAfter[] = []
    for (const ended of batch) {
      const results = [...resultsToWrite([ended]).values()]
      const record = { ...ended.record, details: withoutResponse(ended.record.details) }
      try {
        after.push(...(await writeWhenAvailable([record], results)))
      } catch (err) {
        const fields = { err, component: 'webhooks', webhook_id: record.webhookId }
        log.error(fields, 'Database rejected a delivery result; dropping the result')
      }
    }
    return after
  }

  function resultsToWrite(batch: EndedAttempt[]): Map<EndpointQueue, QueueResults> {
    const { min, perQueue } = UPDATE_EVERY_MS
    return resultsByQueue(batch, Math.max(min, perQueue * options.countQueues()))
  }

  async function followUp(
    batch: EndedAttempt[],
    updated: Map<EndpointQueue, QueueResults>,
    after: QueueAfter[],
  ) {
    const states = new Map(after.map((state) => [state.webhook_id, state]))
    for (const queue of updated.keys()) {
      const state = states.get(queue.webhookId)
      if (!state) onLost(queue)
      else if (state.isFailing) await tryToDisable(queue.webhookId, 'failing')
    }
    const gone = batch.filter(({ record }) => record.status === GONE).map(({ queue }) => queue.webhookId)
    for (const webhookId of new Set(gone)) await tryToDisable(webhookId, 'gone')
  }

  /** If it fails, the next response of that endpoint tries again. */
  async function tryToDisable(webhookId: string, reason: DisabledReason): Promise<void> {
    try {
      await disable(webhookId, reason)
    } catch (err) {
      const fields = { err, component: 'webhooks', webhook_id: webhookId }
      log.warn(fields, 'Disabling a webhook failed; retrying later')
    }
  }

  return {
    add(ended: EndedAttempt): void {
      waiting.push(ended)
      flushing ??= flush().finally(() => {
        flushing = null
      })
    },
    /** Resolves when everything that was added is in the database. */
    async drained(): Promise<void> {
      while (flushing) await flushing
    },
  }
}

/** The response is the only part of a result that a third party controls. */
const withoutResponse = (details: string): string =>
  JSON.stringify({ ...(JSON.parse(details) as AttemptDetails), answer_headers: {}, answer_body: '' })

/** The queues to update: after failures always, after successes under load once in `everyMs`. */
function resultsByQueue(batch: EndedAttempt[], everyMs: number): Map<EndpointQueue, QueueResults> {
  const results = new Map<EndpointQueue, QueueResults>()
  for (const ended of batch) results.set(ended.queue, withAttempt(results.get(ended.queue), ended))
  const now = performance.now()
  for (const [queue, { failures_at_end, failed_trial }] of results) {
    const isDue = batch.length <= SMALL_BATCH || now - queue.updatedAt > everyMs
    if (isDue || failures_at_end > 0 || failed_trial) queue.updatedAt = failures_at_end > 0 ? 0 : now
    else results.delete(queue)
  }
  return results
}

function withAttempt(
  before: QueueResults | undefined,
  { queue, record, isTrial }: EndedAttempt,
): QueueResults {
  const succeeded = record.outcome === 'succeeded'
  return {
    webhook_id: queue.webhookId,
    fence: queue.fence,
    succeeded: succeeded || (before?.succeeded ?? false),
    failures_at_end: succeeded ? 0 : (before?.failures_at_end ?? 0) + 1,
    failed_trial: !succeeded && (isTrial || (before?.failed_trial ?? false)),
    last_status: record.status,
  }
}
