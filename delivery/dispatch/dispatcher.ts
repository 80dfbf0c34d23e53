import { setTimeout as pause } from 'node:timers/promises'
import { type Db, inTransaction, isDatabaseAway } from '../../database/database.ts'
import type { Keyring } from '../../platform/encryption.ts'
import { faultPoint } from '../../platform/fault-points.ts'
import { newId } from '../../platform/ids.ts'
import type { Logger } from '../../platform/log.ts'
import { createBell } from '../../platform/wake-signal.ts'
import { type DisabledReason, disableWebhook, settleWebhook } from '../statements/end-deliveries.ts'
import type { Egress } from '../http/index.ts'
import { openKeys, type SigningKeys } from '../signing/signature.ts'
import { type ClaimedDelivery, type ClaimedLane, claimDeliveries, endDelivery } from '../statements/claim-deliveries.ts'
import type { Lane } from './endpoint-queue.ts'
import { createHeldLanes } from './held-queues.ts'
import { LEASE_MS, leaseLanes, RENEW_EVERY_MS, releaseLanes, renewLease, retire } from '../statements/lease-queues.ts'
import type { DispatchMetrics } from './metrics.ts'
import { createRecorder } from './recorder.ts'
import { createSender, type Sendable } from './attempt.ts'
import type { Statements } from '../statements/statement.ts'

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

/** Looks for lanes that nobody woke us for: retries, and what was missed. Grows when looking is slow. */
const SWEEP_EVERY_MS = 1_000
/** Claims follow each other no faster, so that under load each of them takes many deliveries. */
const PACE_MS = 10
/** A claim whose answer took longer is not acted upon: what it read of the webhooks may be old. */
const CLAIM_IS_FRESH_MS = 2_000
/** What is left of a lease must cover the way from the claim to the request. */
const LEASE_MARGIN_MS = 1_000
const TIDY_EVERY_MS = 500
const TROUBLE_PAUSE_MS = 250

/** Leases lanes, claims their due deliveries, sends them and has the results recorded, until it is stopped. */
export function startDispatcher(parts: DispatcherParts): Dispatcher {
  const { statements, db, egress, keyring, tiers, log } = parts
  const dispatcherId = newId()
  const bell = createBell()
  const held = createHeldLanes(egress.maxConnections)
  const recorder = createRecorder({ ...parts, dispatcherId, disable, lost: held.drop })
  const send = createSender({ ...parts, recorder, held, roomAgain: bell.ring })
  const named = new Set<string>()
  let leaseHoldsUntil = 0
  let renewAt = 0
  let sweepAt = 0
  let tidyAt = 0
  let claimedAt = 0
  let stopping = false
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
    const claimAt = held.hasHungry() ? claimedAt + PACE_MS : Number.POSITIVE_INFINITY
    return Math.max(1, Math.min(renewAt, sweepAt, claimAt) - performance.now())
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

  /** Lanes that we hold are looked at anew; others that were named are asked for, and now and then all. */
  async function lease(): Promise<void> {
    const others = [...named].filter((webhookId) => !held.rouse(webhookId))
    named.clear()
    if (others.length > 0) await leaseSome(others)
    const now = performance.now()
    if (now < sweepAt) return
    await leaseSome(null)
    sweepAt = now + Math.max(SWEEP_EVERY_MS, 20 * (performance.now() - now))
  }

  async function leaseSome(webhookIds: string[] | null): Promise<void> {
    const leased = await leaseLanes(statements, dispatcherId, webhookIds, held.space, held.ids())
    if (leased.length === 0) return
    faultPoint('after_lease')
    parts.metrics.takeOvers(leased.filter(({ takenOver }) => takenOver).length)
    held.hold(leased)
  }

  async function claim(): Promise<void> {
    const asked = performance.now()
    if (asked > leaseHoldsUntil) {
      renewAt = 0
      return
    }
    const shares = held.shares(asked)
    if (shares.size === 0) return
    claimedAt = asked
    const claimed = await claimDeliveries(statements, dispatcherId, shares, tiers)
    faultPoint('after_claim')
    if (performance.now() - asked > CLAIM_IS_FRESH_MS) return
    const endings: Ending[] = []
    for (const [lane, slots] of shares) {
      const found = claimed.get(lane.webhookId)
      if (found === undefined) held.drop(lane)
      else endings.push(...serve(lane, found, slots, asked))
    }
    await endAll(endings)
  }

  /** Sends what can be sent, at once: what was claimed grows old. What has to end instead waits for the database, after all of it. */
  function serve(lane: Lane, claimed: ClaimedLane, slots: number, now: number): Ending[] {
    const { due, state } = claimed
    lane.claimedAt = now
    lane.backlog = due.length >= slots
    if (!lane.backlog) held.feed(lane)
    if (due.length === 0 && state === 'open') return []
    lane.activeAt = now
    if (state !== 'open') return [() => end(lane, state)]
    const keys = keysOf(lane, claimed)
    if (keys === undefined) return [() => disable(lane.webhookId, 'secret_unreadable')]
    const [sendable, over] = parted(due)
    for (const each of sendable) send(lane, claimed, each, keys)
    return over.map((each) => () => endDelivery(statements, lane.webhookId, each))
  }

  /** One that the database refuses keeps no other waiting; it is claimed again. */
  async function endAll(endings: Ending[]): Promise<void> {
    for (const ending of endings) {
      try {
        await ending()
      } catch (err) {
        if (isDatabaseAway(err)) throw err
        log.error({ err, component: 'webhooks' }, 'what may not be sent could not be ended')
      }
    }
  }

  /** Undefined: the secret can't be read, and nothing is sent unsigned instead. */
  function keysOf(lane: Lane, claimed: ClaimedLane): SigningKeys | null | undefined {
    try {
      return openedKeys(lane, claimed)
    } catch (err) {
      log.error({ err, component: 'webhooks', webhook_id: lane.webhookId }, 'a secret can’t be read')
      held.feed(lane)
      return undefined
    }
  }

  /** The secrets are read at every claim, and opened when they are others than before. */
  function openedKeys(lane: Lane, claimed: ClaimedLane): SigningKeys | null {
    const sealed = `${claimed.secret} ${claimed.previous_secret} ${claimed.secret_version}`
    if (lane.keys?.sealed !== sealed)
      lane.keys = { sealed, opened: openKeys(keyring, { ...claimed, id: lane.webhookId }) }
    return lane.keys.opened
  }

  /** The webhook may not be sent to: so all that is pending ends. */
  async function end(lane: Lane, state: 'missed' | 'cancelled'): Promise<void> {
    const ended = await settleWebhook(db, lane.webhookId, state)
    if (ended === 0) held.feed(lane)
    else held.starve(lane)
  }

  async function disable(webhookId: string, reason: DisabledReason): Promise<void> {
    const done = await inTransaction(db, (tx) => disableWebhook(tx, webhookId, reason))
    if (done) log.info({ webhook_id: webhookId, reason, component: 'webhooks' }, 'a webhook was disabled')
  }

  async function release(): Promise<void> {
    const now = performance.now()
    if (now < tidyAt) return
    tidyAt = now + TIDY_EVERY_MS
    const idle = held.takeIdle(now)
    if (idle.length > 0) await releaseLanes(statements, dispatcherId, idle)
  }

  async function stop(graceMs: number): Promise<void> {
    stopping = true
    bell.ring()
    await running
    const deadline = performance.now() + graceMs
    while (held.underWay > 0 && performance.now() < deadline) await pause(20)
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
    load: () => ({ lanes: held.size, underWay: held.underWay }),
    stop,
  }
}

/** What is left to do for something that was claimed and may not be sent. */
type Ending = () => Promise<unknown>

/** Those in time and with bytes to send (an erasure leaves none), and the others. */
function parted(due: ClaimedDelivery[]): [sendable: Sendable[], over: ClaimedDelivery[]] {
  const sendable: Sendable[] = []
  const over: ClaimedDelivery[] = []
  for (const each of due) {
    if (isSendable(each)) sendable.push(each)
    else over.push(each)
  }
  return [sendable, over]
}

const isSendable = (claimed: ClaimedDelivery): claimed is Sendable =>
  claimed.left_ms > 0 && claimed.body !== null
