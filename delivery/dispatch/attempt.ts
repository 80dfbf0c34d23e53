import { type Db, isDatabaseUnavailable } from '../../database/database.ts'
import type { Keyring } from '../../platform/encryption.ts'
import { faultPoint } from '../fault-points.ts'
import type { Egress, EgressResult } from '../http/index.ts'
import { nextWait } from '../rules/retry-schedule.ts'
import type { SigningKeys } from '../signing/signature.ts'
import {
  type ClaimedDelivery,
  type ClaimedQueue,
  claimDeliveries,
  type Share,
} from '../statements/claim-deliveries.ts'
import { endDeliveries, endDelivery } from '../statements/end-deliveries.ts'
import type { AttemptRecord } from '../statements/record-attempts.ts'
import { adjustPrefetch, type EndpointQueue, keysOf } from './endpoint-queue.ts'
import type { HeldQueues } from './held-queues.ts'
import { type Attempt, logOf, newAttempt } from './outgoing-request.ts'
import type { Recorder, RecorderOptions } from './recorder.ts'

interface AttemptParts extends Omit<RecorderOptions, 'onLost' | 'countQueues'> {
  db: Db
  egress: Egress
  keyring: Keyring
  tiers: string[]
  userAgent: string
  queues: HeldQueues
  recorder: Recorder
  /** A queue that has more deliveries can take one again. */
  onCapacity(): void
}

/** A claim that took longer is discarded: the webhooks may have changed since it read them. */
const MAX_CLAIM_MS = 2_000

/** Ends claimed deliveries that must not be sent. */
type Ending = () => Promise<unknown>

type Sendable = ClaimedDelivery & { body: string }

/** A queue and its webhook as it was when deliveries were claimed. */
interface Claim extends Pick<ClaimedQueue, 'url' | 'isTrial' | 'now'> {
  queue: EndpointQueue
  keys: SigningKeys | null
  /** When the database had returned it. */
  claimedAt: number
}

/**
 * The life of one attempt: claim → send → classify → record, which schedules the next one. Returns the claim, which takes the
 * number of deliveries that each queue can send. No transaction is open while a request is in flight.
 */
export function createAttempts(parts: AttemptParts): (shares: Map<EndpointQueue, Share>) => Promise<void> {
  const { statements, metrics, queues, log } = parts

  /** Requests start before anything waits for the database again, because a claim becomes outdated. */
  async function claim(shares: Map<EndpointQueue, Share>): Promise<void> {
    const now = performance.now()
    const claimed = await claimDeliveries(statements, parts.dispatcherId, shares, parts.tiers)
    faultPoint('after_claim')
    if (performance.now() - now > MAX_CLAIM_MS) return
    const endings: Ending[] = []
    for (const [queue, share] of shares) {
      const found = claimed.get(queue.webhookId)
      if (found === undefined) queues.drop(queue)
      else endings.push(...sendAll(queue, found, share, now))
    }
    await runEndings(endings)
  }

  /** Returns the functions that end deliveries which must not be sent. */
  function sendAll(queue: EndpointQueue, claimed: ClaimedQueue, share: Share, now: number): Ending[] {
    const { due, status, url, isTrial } = claimed
    const { webhookId } = queue
    queue.claimedAt = now
    queue.hasMore = due.length >= share.slots + share.prefetch
    adjustPrefetch(queue)
    if (!queue.hasMore) queues.markDrained(queue)
    if (due.length === 0 && status === 'pending') return []
    queue.activeAt = now
    if (status !== 'pending') return [() => endPending(queue, status)]
    const keys = keysOf(queue, claimed, parts)
    if (keys === undefined) {
      queues.markDrained(queue)
      return [() => parts.disable(webhookId, 'secret_unreadable')]
    }
    const claim = { queue, url, isTrial, now: claimed.now, keys, claimedAt: performance.now() }
    sendDue(claim, due.filter(isSendable), share)
    return due
      .filter((each) => !isSendable(each))
      .map((each) => () => endDelivery(statements, webhookId, each))
  }

  /** Those that the queue has no slot for follow when others have ended. */
  function sendDue(claim: Claim, due: Sendable[], { slots, prefetch }: Share): void {
    for (const delivery of due.slice(0, slots)) send(claim, delivery)
    if (prefetch === 0) return
    const { queue, claimedAt } = claim
    const later = due
      .slice(slots)
      .map((delivery) => ({ id: delivery.id, claimedAt, send: () => send(claim, delivery) }))
    queues.prefetch(queue, later, claimedAt)
  }

  /** One that the database rejects does not delay the others; its deliveries are claimed again. */
  async function runEndings(endings: Ending[]): Promise<void> {
    for (const ending of endings) {
      try {
        await ending()
      } catch (err) {
        if (isDatabaseUnavailable(err)) throw err
        log.error(
          { err, component: 'webhooks' },
          'Could not cancel deliveries that must not be sent; retrying',
        )
      }
    }
  }

  /** Up to a batch: the queue stays ready until a claim finds no more. */
  async function endPending(queue: EndpointQueue, status: 'missed' | 'cancelled'): Promise<void> {
    const ended = await endDeliveries(parts.db, queue.webhookId, status)
    if (ended === 0) queues.markDrained(queue)
    else queues.markReady(queue)
  }

  function send({ queue, url, isTrial, now, keys, claimedAt }: Claim, delivery: Sendable): void {
    const { id, attempts, eventId, eventType, body } = delivery
    const waitedMs = performance.now() - claimedAt
    const [ageMs, leftMs] = [delivery.ageMs + waitedMs, delivery.leftMs - waitedMs]
    const outgoing = { url, eventId, eventType, body, keys }
    const of = { deliveryId: id, number: attempts + 1, at: now + waitedMs }
    const { attempt, request } = newAttempt(of, outgoing, parts.userAgent)
    queues.begin(queue, id)
    if (attempt.number === 1) metrics.firstAttempt(ageMs / 1000)
    // The callback must not capture the body, which would stay in memory until the response.
    void parts.egress.post(queue.webhookId, request).then((result) => {
      queues.end(queue, id, result)
      // Aborted by our own stop, or never sent because no socket was left: not counted, and made again later.
      if (result === null) return
      faultPoint('after_post')
      const { webhookId, fence } = queue
      queue.unrecorded.add(id)
      const record = { ...logOf(attempt, result), webhookId, fence, ...classify(attempt, leftMs, result) }
      parts.recorder.add({ queue, record, isTrial })
      if (result.success) metrics.success((ageMs + result.timings.totalMs) / 1000)
      if (!queue.hasMore) return
      queues.markReady(queue)
      parts.onCapacity()
    })
  }

  return claim
}

/** It has not expired, and its payload was not erased. */
const isSendable = (claimed: ClaimedDelivery): claimed is Sendable =>
  claimed.leftMs > 0 && claimed.body !== null

/** Any 2xx is a success; everything else is retried by the retry schedule until its last attempt. */
function classify(
  { number, at }: Attempt,
  leftMs: number,
  { success, retryAfter, timings }: EgressResult,
): Pick<AttemptRecord, 'outcome' | 'waitMs'> {
  if (success) return { outcome: 'succeeded', waitMs: null }
  const now = at + timings.totalMs
  const waitMs = nextWait({ number, retryAfter, now, leftMs: leftMs - timings.totalMs }, Math.random)
  return { outcome: waitMs === null ? 'failed' : 'retry', waitMs }
}
