import { setTimeout as pause } from 'node:timers/promises'
import { type Db, inTransaction } from '../../kernel/database.ts'
import type { Keyring } from '../../kernel/encryption.ts'
import { faultPoint } from '../../kernel/fault-points.ts'
import { newId } from '../../kernel/ids.ts'
import type { Logger } from '../../kernel/log.ts'
import type { Egress, EgressResult } from '../egress/index.ts'
import { type DisabledReason, disableWebhook, settleWebhook } from '../halt.ts'
import { openKeys, type SigningKeys } from '../signature.ts'
import { type Attempt, logOf, requestOf } from './attempt.ts'
import { createBell } from './bell.ts'
import { type Claimed, claimDeliveries } from './claim-deliveries.ts'
import { shareOut } from './fair-shares.ts'
import { holdLane, isIdle, LANE_SLOTS, type Lane, roomOf } from './lane.ts'
import { LEASE_MS, leaseLanes, RENEW_EVERY_MS, releaseLanes, renewLease, retire } from './leases.ts'
import type { DispatchMetrics } from './metrics.ts'
import { createRecorder } from './recorder.ts'
import { nextWait } from './retry-ladder.ts'
import type { Statements } from './statements.ts'

export interface DispatcherParts {
  statements: Statements
  db: Db
  egress: Egress
  keyring: Keyring
  /** The tiers whose webhooks are sent to. */
  tiers: string[]
  userAgent: string
  metrics: DispatchMetrics
  log: Logger
}

export interface Dispatcher {
  /** Webhooks that may have something due; null: any of them. */
  wake(webhookIds: string[] | null): void
  /** Lanes held, and requests under way. */
  load(): { lanes: number; underWay: number }
  /** Takes no new work, gives what is under way some time, and hands its lanes back. */
  stop(graceMs: number): Promise<void>
}

/** Requests under way in this process at most, over all lanes. */
const SLOTS = 4096
/** Lanes held at most. */
const LANES = 5000
/** Looks for lanes that nobody woke us for: retries, and what was missed. Grows when looking is slow. */
const SWEEP_EVERY_MS = 1_000
/** Claims follow each other no faster, so that under load each of them takes many deliveries. */
const PACE_MS = 10
/** A claim whose answer took longer is not acted upon: what it read of the webhooks may be old. */
const CLAIM_IS_FRESH_MS = 2_000
/** A lane without work is kept for so long: the next event then needs one statement less. */
const KEEP_IDLE_MS = 2_000
/** What is left of a lease must cover the way from the claim to the request. */
const LEASE_MARGIN_MS = 1_000
const TROUBLE_PAUSE_MS = 250

/** Leases lanes, claims their due deliveries, sends them and has the results recorded, until it is stopped. */
export function startDispatcher(parts: DispatcherParts): Dispatcher {
  const { statements, db, egress, keyring, tiers, userAgent, metrics, log } = parts
  const dispatcherId = newId()
  const bell = createBell()
  const lanes = new Map<string, Lane>()
  const hungry = new Set<Lane>()
  const named = new Set<string>()
  const underWayOf = new Map<string, number>()
  let underWay = 0
  let leaseHoldsUntil = 0
  let renewAt = 0
  let sweepAt = 0
  let tidyAt = 0
  let claimedAt = 0
  let stopping = false

  const recorder = createRecorder({ statements, dispatcherId, disable, lost: drop, log })
  const running = run()

  async function run(): Promise<void> {
    while (!stopping) {
      try {
        await renew()
        await lease()
        await claim()
        await release()
      } catch (err) {
        log.warn({ err, component: 'webhooks' }, 'the dispatcher waits for the database')
        sweepAt = 0
        await pause(TROUBLE_PAUSE_MS)
      }
      await bell.wait(untilNextTurn())
      await pace()
    }
  }

  /** Never nothing: whoever is under way needs the thread. A lane without room waits for an answer, which rings. */
  function untilNextTurn(): number {
    const waiting = hungry.values().some((lane) => roomOf(lane) > 0)
    const next = Math.min(renewAt, sweepAt, waiting ? claimedAt + PACE_MS : Number.POSITIVE_INFINITY)
    return Math.max(1, next - performance.now())
  }

  async function pace(): Promise<void> {
    const early = claimedAt + PACE_MS - performance.now()
    if (early > 1) await pause(early)
  }

  async function renew(): Promise<void> {
    const now = performance.now()
    if (now < renewAt) return
    await renewLease(statements, dispatcherId)
    leaseHoldsUntil = now + LEASE_MS - LEASE_MARGIN_MS
    renewAt = now + RENEW_EVERY_MS
  }

  async function lease(): Promise<void> {
    const woken = takeNamed()
    if (woken.length > 0) hold(await leaseLanes(statements, dispatcherId, woken, LANES - lanes.size))
    const now = performance.now()
    if (now < sweepAt) return
    hold(await leaseLanes(statements, dispatcherId, null, LANES - lanes.size))
    const took = performance.now() - now
    sweepAt = now + Math.max(SWEEP_EVERY_MS, 20 * took)
  }

  /** Lanes that we hold are looked at anew; the others are asked for. */
  function takeNamed(): string[] {
    const others: string[] = []
    for (const webhookId of named) {
      const lane = lanes.get(webhookId)
      if (lane) hungry.add(lane)
      else others.push(webhookId)
    }
    named.clear()
    return others
  }

  function hold(leased: Awaited<ReturnType<typeof leaseLanes>>): void {
    if (leased.length === 0) return
    faultPoint('after_lease')
    metrics.takeOvers(leased.filter(({ takenOver }) => takenOver).length)
    for (const each of leased) {
      const lane = holdLane(each)
      lanes.set(lane.webhookId, lane)
      hungry.add(lane)
    }
  }

  async function claim(): Promise<void> {
    const asked = performance.now()
    if (asked > leaseHoldsUntil) {
      renewAt = 0
      return
    }
    const shares = shareOut(readyLanes(asked), SLOTS - underWay, underWayOf)
    if (shares.size === 0) return
    claimedAt = asked
    const wants = [...shares].map(([{ lane }, slots]) => ({
      webhook_id: lane.webhookId,
      fence: lane.fence,
      slots,
      busy: [...lane.underWay, ...lane.unrecorded],
    }))
    const rows = await claimDeliveries(statements, dispatcherId, wants, tiers)
    faultPoint('after_claim')
    if (performance.now() - asked > CLAIM_IS_FRESH_MS) return
    const byLane = Map.groupBy(rows, (row) => row.webhook_id)
    for (const [{ lane }, slots] of shares) {
      const claimed = byLane.get(lane.webhookId)
      if (claimed === undefined) drop(lane)
      else await serve(lane, claimed, slots, asked)
    }
  }

  /** Lanes with half of their slots free, and those that have waited for a turn with less. */
  function readyLanes(now: number) {
    const ready: { lane: Lane; organisationId: string; room: number }[] = []
    for (const lane of hungry) {
      const room = roomOf(lane)
      const patient = room >= LANE_SLOTS / 2 || now - lane.claimedAt >= PACE_MS
      if (room > 0 && patient) ready.push({ lane, organisationId: lane.organisationId, room })
    }
    return ready
  }

  async function serve(lane: Lane, claimed: Claimed[], slots: number, now: number): Promise<void> {
    const due = claimed.filter(({ delivery_id }) => delivery_id !== null)
    const [first] = claimed
    lane.claimedAt = now
    lane.backlog = due.length >= slots
    if (!lane.backlog) hungry.delete(lane)
    if (!first || (due.length === 0 && first.state === 'open')) return
    lane.activeAt = now
    if (first.state !== 'open') return end(lane, first.state)
    const keys = await keysOf(lane, first)
    if (keys !== undefined) for (const each of due) await begin(lane, each, keys)
  }

  /** Undefined: the secret can't be read, and nothing is sent unsigned instead. */
  async function keysOf(lane: Lane, row: Claimed): Promise<SigningKeys | null | undefined> {
    try {
      return openKeys(keyring, { ...row, id: row.webhook_id })
    } catch (err) {
      log.error({ err, component: 'webhooks', webhook_id: lane.webhookId }, 'a secret can’t be read')
      hungry.delete(lane)
      await disable(lane.webhookId, 'secret_unreadable')
      return undefined
    }
  }

  async function begin(lane: Lane, claimed: Claimed, keys: SigningKeys | null): Promise<void> {
    const deliveryId = claimed.delivery_id as string
    if (claimed.expired || claimed.body === null) return endOne(claimed, deliveryId)
    const attempt: Attempt = {
      deliveryId,
      eventId: claimed.event_id,
      eventType: claimed.event_type,
      number: claimed.attempts + 1,
      url: claimed.url,
      body: claimed.body,
      keys,
      at: claimed.now,
    }
    lane.underWay.add(deliveryId)
    count(lane, 1)
    if (attempt.number === 1) metrics.firstAttempt(claimed.age_ms / 1000)
    void egress
      .post(lane.webhookId, requestOf(attempt, userAgent))
      .then((result) => finish(lane, attempt, claimed, result))
  }

  function finish(lane: Lane, attempt: Attempt, claimed: Claimed, result: EgressResult | null): void {
    lane.underWay.delete(attempt.deliveryId)
    count(lane, -1)
    // Cut off by our own stop: not counted, and made again by whoever takes the lane.
    if (result === null) return
    faultPoint('after_post')
    lane.activeAt = performance.now()
    lane.unrecorded.add(attempt.deliveryId)
    const { webhookId, fence } = lane
    const { outcome, waitMs } = outcomeOf(attempt, result)
    const record = { ...logOf(attempt, result), webhookId, fence, outcome, waitMs }
    recorder.add({ lane, record, probing: claimed.probing })
    metrics.attempt(outcome, result.error)
    if (result.success) metrics.success((claimed.age_ms + result.timings.totalMs) / 1000)
    if (lane.backlog && lanes.get(lane.webhookId) === lane) {
      hungry.add(lane)
      bell.ring()
    }
  }

  function count(lane: Lane, by: 1 | -1): void {
    underWay += by
    const now = (underWayOf.get(lane.organisationId) ?? 0) + by
    if (now === 0) underWayOf.delete(lane.organisationId)
    else underWayOf.set(lane.organisationId, now)
  }

  /** The webhook may not be sent to: so all that is pending ends. */
  async function end(lane: Lane, state: 'missed' | 'cancelled'): Promise<void> {
    const ended = await settleWebhook(db, lane.webhookId, state)
    if (ended === 0) hungry.delete(lane)
    else hungry.add(lane)
  }

  async function endOne({ webhook_id, expired }: Claimed, deliveryId: string): Promise<void> {
    await statements.run(
      'end_delivery',
      `update deliveries set status = $3, finished_at = now()
       where webhook_id = $1 and id = $2 and status = 'pending'`,
      [webhook_id, deliveryId, expired ? 'failed' : 'cancelled'],
    )
  }

  async function disable(webhookId: string, reason: DisabledReason): Promise<void> {
    const done = await inTransaction(db, (tx) => disableWebhook(tx, webhookId, reason))
    if (done) log.info({ webhook_id: webhookId, reason, component: 'webhooks' }, 'a webhook was disabled')
  }

  function drop(lane: Lane): void {
    hungry.delete(lane)
    if (lanes.get(lane.webhookId) === lane) lanes.delete(lane.webhookId)
  }

  /** Gives back lanes that have been idle for a while. */
  async function release(): Promise<void> {
    const now = performance.now()
    if (now < tidyAt) return
    tidyAt = now + KEEP_IDLE_MS / 4
    const idle = [...lanes.values()].filter(
      (lane) => isIdle(lane) && !hungry.has(lane) && now - lane.activeAt > KEEP_IDLE_MS,
    )
    if (idle.length === 0) return
    for (const lane of idle) drop(lane)
    await releaseLanes(
      statements,
      dispatcherId,
      idle.map(({ webhookId }) => webhookId),
    )
  }

  async function stop(graceMs: number): Promise<void> {
    stopping = true
    bell.ring()
    await running
    const deadline = performance.now() + graceMs
    while (underWay > 0 && performance.now() < deadline) await pause(20)
    await egress.close()
    await recorder.drained()
    await retire(statements, dispatcherId)
  }

  return {
    wake(webhookIds) {
      if (webhookIds === null) sweepAt = 0
      else for (const webhookId of webhookIds) named.add(webhookId)
      bell.ring()
    },
    load: () => ({ lanes: lanes.size, underWay }),
    stop,
  }
}

function outcomeOf(
  attempt: Attempt,
  result: EgressResult,
): { outcome: 'succeeded' | 'retry' | 'failed'; waitMs: number | null } {
  if (result.success) return { outcome: 'succeeded', waitMs: null }
  const { number, at } = attempt
  const now = at + result.timings.totalMs
  const waitMs = nextWait({ number, retryAfter: result.retryAfter, now }, Math.random)
  return { outcome: waitMs === null ? 'failed' : 'retry', waitMs }
}
