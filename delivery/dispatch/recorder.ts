import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseAway } from '../../database/database.ts'
import type { AttemptDetails } from '../../database/tables.ts'
import { faultPoint } from '../../platform/fault-points.ts'
import type { Logger } from '../../platform/log.ts'
import type { DisabledReason } from '../statements/end-deliveries.ts'
import type { Lane } from './endpoint-queue.ts'
import type { DispatchMetrics } from './metrics.ts'
import { type AttemptRecord, type LaneAfter, type LaneRecord, recordAttempts } from '../statements/record-attempts.ts'
import type { Statements } from '../statements/statement.ts'

/** An attempt that was answered, on its way into the log. */
interface Answered {
  lane: Lane
  record: AttemptRecord
  probing: boolean
}

export interface Recorder {
  add(answered: Answered): void
  /** Resolves when everything that was added is in the database. */
  drained(): Promise<void>
}

export interface RecorderOptions {
  statements: Statements
  dispatcherId: string
  disable(webhookId: string, reason: DisabledReason): Promise<void>
  /** The lane was taken over: nothing of it is ours any more. */
  lost(lane: Lane): void
  metrics: DispatchMetrics
  log: Logger
}

const MOST_AT_ONCE = 1_000
/** Under load results wait this long for company; the promise is 50 ms. */
const GATHER_MS = 12
/** A batch of more is load: then a receiver that does well is noted once a second. */
const FEW = 50
const TOUCH_EVERY_MS = 1_000
const RETRY_MS = 200

/** Writes results in the order in which they came, one statement at a time, each for all that came meanwhile. */
export function createRecorder(options: RecorderOptions): Recorder {
  const queue: Answered[] = []
  let flushing: Promise<void> | null = null
  let flushedAt = 0

  async function flush(): Promise<void> {
    await pause(Math.max(0, flushedAt + GATHER_MS - performance.now()))
    while (queue.length > 0) {
      await recordOrDrop(queue.splice(0, MOST_AT_ONCE), options)
      flushedAt = performance.now()
      if (queue.length < MOST_AT_ONCE) await pause(GATHER_MS)
    }
  }

  return {
    add(answered) {
      queue.push(answered)
      flushing ??= flush().finally(() => {
        flushing = null
      })
    },
    drained: async () => {
      while (flushing) await flushing
    },
  }
}

/** Whatever is wrong with one batch, those behind it are written. Its lanes are given up, so that somebody else finds out. */
async function recordOrDrop(batch: Answered[], options: RecorderOptions): Promise<void> {
  try {
    await record(batch, options)
  } catch (err) {
    options.log.error({ err, component: 'webhooks' }, 'results could not be recorded')
    for (const { lane } of batch) options.lost(lane)
  }
}

async function record(batch: Answered[], options: RecorderOptions): Promise<void> {
  options.metrics.attempts(batch.map((each) => each.record))
  const lanes = lanesToTouch(batch)
  const after = await untilWritten(batch, lanes, options)
  faultPoint('after_record')
  for (const { lane, record } of batch) lane.unrecorded.delete(record.deliveryId)
  await followUp(batch, lanes, after, options)
}

/** What the database refuses (a bug) is tried one by one, so that one row holds up no other. */
async function untilWritten(
  batch: Answered[],
  lanes: Map<Lane, LaneRecord>,
  options: RecorderOptions,
): Promise<LaneAfter[]> {
  const attempts = batch.map((answered) => answered.record)
  try {
    return await whenThere(attempts, [...lanes.values()], options)
  } catch {
    return await oneByOne(batch, options)
  }
}

/** A database that is away is waited for. */
async function whenThere(
  attempts: AttemptRecord[],
  lanes: LaneRecord[],
  { statements, dispatcherId, log }: RecorderOptions,
): Promise<LaneAfter[]> {
  for (;;) {
    try {
      return await recordAttempts(statements, dispatcherId, attempts, lanes)
    } catch (err) {
      log.warn({ err, component: 'webhooks', count: attempts.length }, 'results could not be recorded yet')
      if (!isDatabaseAway(err)) throw err
      await pause(RETRY_MS)
    }
  }
}

async function oneByOne(batch: Answered[], options: RecorderOptions): Promise<LaneAfter[]> {
  const after: LaneAfter[] = []
  for (const answered of batch) {
    const lanes = [...lanesToTouch([answered]).values()]
    const { record } = answered
    const details = withoutAnswer(record.details)
    try {
      after.push(...(await whenThere([{ ...record, details }], lanes, options)))
    } catch (err) {
      const webhook_id = answered.lane.webhookId
      options.log.error({ err, component: 'webhooks', webhook_id }, 'a result was refused')
    }
  }
  return after
}

/** The only part of a result that a stranger wrote. */
const withoutAnswer = (details: string): string =>
  JSON.stringify({ ...(JSON.parse(details) as AttemptDetails), answer_headers: {}, answer_body: '' })

/** What happened on each lane that has news: failures always, successes under load once a second. */
function lanesToTouch(batch: Answered[]): Map<Lane, LaneRecord> {
  const records = new Map<Lane, LaneRecord>()
  for (const answered of batch) {
    const { lane, record } = answered
    const before = records.get(lane) ?? newLaneRecord(lane)
    records.set(lane, withAttempt(before, record, answered.probing))
  }
  const now = performance.now()
  for (const [lane, { failures_at_end, failed_probe }] of records) {
    const news =
      batch.length <= FEW || failures_at_end > 0 || failed_probe || now - lane.touchedAt > TOUCH_EVERY_MS
    if (news) lane.touchedAt = failures_at_end > 0 ? 0 : now
    else records.delete(lane)
  }
  return records
}

const newLaneRecord = ({ webhookId, fence }: Lane): LaneRecord => ({
  webhook_id: webhookId,
  fence,
  succeeded: false,
  failures_at_end: 0,
  failed_probe: false,
  last_status: null,
})

function withAttempt(lane: LaneRecord, { outcome, status }: AttemptRecord, probing: boolean): LaneRecord {
  const succeeded = outcome === 'succeeded'
  return {
    ...lane,
    succeeded: lane.succeeded || succeeded,
    failures_at_end: succeeded ? 0 : lane.failures_at_end + 1,
    failed_probe: succeeded ? false : lane.failed_probe || probing,
    last_status: status,
  }
}

const GONE = 410

async function followUp(
  batch: Answered[],
  touched: Map<Lane, LaneRecord>,
  after: LaneAfter[],
  options: RecorderOptions,
): Promise<void> {
  const states = new Map(after.map((state) => [state.webhook_id, state]))
  for (const lane of touched.keys()) {
    const state = states.get(lane.webhookId)
    if (!state) options.lost(lane)
    else if (state.hopeless) await tryToDisable(lane.webhookId, 'failing', options)
  }
  const gone = new Set(batch.filter(({ record }) => record.status === GONE).map(({ lane }) => lane.webhookId))
  for (const webhookId of gone) await tryToDisable(webhookId, 'gone', options)
}

/** Where it fails, the next answer of that receiver asks for it again. */
async function tryToDisable(
  webhookId: string,
  reason: DisabledReason,
  { disable, log }: RecorderOptions,
): Promise<void> {
  try {
    await disable(webhookId, reason)
  } catch (err) {
    log.warn({ err, component: 'webhooks', webhook_id: webhookId }, 'a webhook could not be disabled yet')
  }
}
